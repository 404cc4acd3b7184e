// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";

/// @title Touché Coulé: a free-for-all at sea on one shared grid
/// @notice Each account has at most two ships, each on one cell. Every ship is a contract that
/// decides where to fire. In a turn, all ships fire together. The last owner with a ship afloat
/// wins. Positions are public because a chain hides nothing. A cell's number is `y * width + x`,
/// where 0 <= x < width and 0 <= y < height.
interface IToucheCoule is IMatch {
    /// @notice One ship, as `board` returns it.
    /// @param captain the contract that decides where the ship fires; the zero address for a
    /// built-in ship
    /// @param cell the ship's position, or its last position if it sank
    /// @param readyAt the number of the turn (ply) from which the ship may change position
    struct ShipView {
        address owner;
        address captain;
        uint16 cell;
        bool afloat;
        uint32 readyAt;
    }

    /// @notice A whole match, without the ships' maps.
    /// @param ply the number of turns so far, which the next `turn` must name
    /// @param captains true if ships written by players may take part
    /// @param anchor the block of the last turn or change of position; 0 before the first turn
    /// @param deadline time (seconds since 1970) from which `expire` may end the match; 0 before
    /// the first turn
    /// @param winner the account that won; the zero address if nobody has won
    /// @param ships all ships, starting with ship 1
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint8 width;
        uint8 height;
        bool captains;
        uint40 anchor;
        uint40 deadline;
        address winner;
        ShipView[] ships;
    }

    /// @notice A match was opened with a board of this size.
    event Size(uint48 indexed matchId, uint32 seq, uint8 width, uint8 height, bool captains);

    /// @notice A ship was placed. `captain` is the zero address for the built-in ship.
    event Registered(
        uint48 indexed matchId,
        uint32 seq,
        uint16 indexed ship,
        address indexed owner,
        uint8 x,
        uint8 y,
        address captain
    );

    /// @notice All ships fired. `shots` holds 3 bytes per shot, in the order of ship numbers: 12
    /// bits for the ship and 12 bits for the cell, big-endian. A ship without a legal shot is left
    /// out.
    event Fired(uint48 indexed matchId, uint32 seq, bytes shots);

    /// @notice A ship was hit and sank. `by` is the first ship in the volley that hit it.
    event Touched(uint48 indexed matchId, uint32 seq, uint16 indexed ship, uint8 x, uint8 y, uint16 by);

    /// @notice A ship changed its position.
    /// @param entropyBlock the block whose hash is the seed
    event Moved(
        uint48 indexed matchId,
        uint32 seq,
        uint16 indexed ship,
        address indexed owner,
        uint8 fromX,
        uint8 fromY,
        uint8 x,
        uint8 y,
        uint40 entropyBlock,
        bytes32 seed
    );

    /// @notice An owner's two ships learnt from each other where they have fired.
    event Communicated(uint48 indexed matchId, uint32 seq, address indexed owner, uint16 a, uint16 b);

    /// @notice A turn is complete. In turn 0, no ship fires, and `entropyBlock` and `seed` are 0.
    event TurnPlayed(
        uint48 indexed matchId,
        uint32 seq,
        address indexed by,
        uint32 turnNo,
        uint40 entropyBlock,
        bytes32 seed
    );

    /// @notice Each side must be 2 to 64 cells long.
    error BadSize(uint8 width, uint8 height);
    /// @notice The account has placed its maximum number of ships. A sunk ship still counts.
    error ShipLimit(address owner, uint8 allowed);
    /// @notice The match already holds the maximum number of ships.
    error MatchFull(uint16 ships);
    /// @notice Every cell of the board has a ship.
    error NoFreeCell(uint16 cells);
    /// @notice This match allows only built-in ships.
    error CaptainsNotAllowed(uint48 matchId);
    /// @notice There is no contract at the captain's address.
    error NoCode(address captain);
    /// @notice Turn 0 can't be played before there are enough owners of ships.
    error TooFewOwners(uint16 owners, uint16 needed);
    /// @notice All ships of the account are sunk.
    error NoShipAfloat(uint48 matchId, address account);
    /// @notice The block that decides the random draw doesn't exist yet. The call is possible from
    /// block `from` on.
    error TooSoon(uint40 current, uint40 from);
    /// @notice None of the account's ships may move before turn `readyAt`.
    error NotReady(uint32 turnNo, uint32 readyAt);
    /// @notice The account doesn't have two built-in ships afloat, which the call needs.
    error TooFewShips(uint16 afloat, uint16 needed);
    /// @notice Neither ship would learn anything from the other.
    error NothingToTell(uint16 a, uint16 b);
    /// @notice Too little gas is left to guarantee the next captain its gas. Otherwise, whoever
    /// plays the turn could make a captain run out of gas.
    error NotEnoughGas(uint256 left, uint256 needed);
    /// @notice There is no map of this ship: it doesn't exist, or a captain decides for it.
    error NoMap(uint48 matchId, uint16 ship);

    /// @notice Opens a match. Anybody may call this function.
    /// @param captains true if ships written by players may take part
    function create(uint8 width, uint8 height, bool captains) external returns (uint48 matchId);

    /// @notice Places a built-in ship of the caller on a random free cell. This is possible until
    /// the first turn.
    function register(uint48 matchId) external returns (uint16 ship);

    /// @notice Places a ship whose captain is a contract of the caller's choice.
    function register(uint48 matchId, address captain) external returns (uint16 ship);

    /// @notice Plays turn `turnNo`: every ship afloat fires, and then the ships that were hit sink.
    /// In turn 0, no ship fires, but no more ships can be placed afterwards.
    /// @dev Only the owner of a ship afloat may call this function.
    function turn(uint48 matchId, uint32 turnNo) external;

    /// @notice Moves the caller's ships to random free cells, except those that were placed or
    /// moved in the last five turns.
    function changePosition(uint48 matchId) external;

    /// @notice Lets the caller's two built-in ships learn from each other where they have fired.
    function communicate(uint48 matchId) external;

    /// @notice Cancels a running match in which no turn was played for a day. Anybody may call this
    /// function.
    function expire(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the map of a built-in ship, one byte per cell: 0 nothing, 1 the ship itself,
    /// 2 a cell where it has fired, 3 its ally afloat.
    function mapOf(uint48 matchId, uint16 ship) external view returns (bytes memory codes);

    /// @notice Returns the cells with a ship in one word of the board: bit i is cell 256 * word +
    /// i. The call costs little gas, so captains can use it to aim.
    function occupied(uint48 matchId, uint8 word) external view returns (uint256 cells);

    /// @notice Returns the contract that decides where a ship fires: its captain, or the ship's own
    /// clone of the built-in ship.
    function shipAddress(uint48 matchId, uint16 ship) external view returns (address);
}
