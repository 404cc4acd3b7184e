// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";

/// @title Touché Coulé: ships of many players fight each other on one shared grid
/// @notice Each account has at most two ships. A ship occupies one cell, and a contract decides
/// where it fires. In each turn, all ships fire at the same time. The last owner with a ship afloat
/// wins. Ships can't hide, because all data on a chain is public. Cells are numbered `y * width +
/// x`, where x is between 0 and width - 1 and y between 0 and height - 1.
interface IToucheCoule is IMatch {
    /// @notice A ship, as `board` returns it.
    /// @param captain the contract that controls the ship; the zero address means the built-in ship
    /// @param cell the ship's position or, if it is sunk, its last position
    /// @param readyAt the number of the turn (ply) from which the ship can change position
    struct ShipView {
        address owner;
        address captain;
        uint16 cell;
        bool afloat;
        uint32 readyAt;
    }

    /// @notice The complete state of a match, without the maps of the ships.
    /// @param ply the number of turns so far, which the next `turn` must name
    /// @param captains true if captains, which are contracts that players have written, can control
    /// ships
    /// @param anchor the number of the block with the last turn or change of position, or 0 before
    /// the first turn
    /// @param deadline the time from which `expire` can end the match, in seconds since 1970, or 0
    /// before the first turn
    /// @param winner the player who won, or the zero address if there is no winner
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

    /// @notice Emitted when a match is opened, with the size of its board.
    event Size(uint48 indexed matchId, uint32 seq, uint8 width, uint8 height, bool captains);

    /// @notice Emitted when a ship is placed. `captain` is the zero address for a built-in ship.
    event Registered(
        uint48 indexed matchId,
        uint32 seq,
        uint16 indexed ship,
        address indexed owner,
        uint8 x,
        uint8 y,
        address captain
    );

    /// @notice Emitted once per turn with all shots of the volley. `shots` contains three bytes per
    /// shot, in the order of the ship numbers: 12 bits for the ship and 12 bits for the cell,
    /// big-endian. Ships without a legal shot are left out.
    event Fired(uint48 indexed matchId, uint32 seq, bytes shots);

    /// @notice Emitted when a ship is hit and sinks. `by` is the first ship of the volley that hit
    /// it.
    event Touched(uint48 indexed matchId, uint32 seq, uint16 indexed ship, uint8 x, uint8 y, uint16 by);

    /// @notice Emitted when a ship changes its position.
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

    /// @notice Emitted when an owner's two ships have shared their maps of the cells where they
    /// have fired.
    event Communicated(uint48 indexed matchId, uint32 seq, address indexed owner, uint16 a, uint16 b);

    /// @notice Emitted at the end of a turn. In turn 0, no ship fires, and `entropyBlock` and
    /// `seed` are 0.
    event TurnPlayed(
        uint48 indexed matchId, uint32 seq, address indexed by, uint32 turnNo, uint40 entropyBlock, bytes32 seed
    );

    /// @notice The width or the height is not between 2 and 64 cells.
    error BadSize(uint8 width, uint8 height);
    /// @notice The account already has the maximum number of ships in this match. Sunk ships count,
    /// too.
    error ShipLimit(address owner, uint8 allowed);
    /// @notice The match already has the maximum number of ships.
    error MatchFull(uint16 ships);
    /// @notice There is a ship on every cell.
    error NoFreeCell(uint16 cells);
    /// @notice This match doesn't allow captains.
    error CaptainsNotAllowed(uint48 matchId);
    /// @notice There is no contract at the captain's address.
    error NoCode(address captain);
    /// @notice Fewer than two accounts have registered a ship, so turn 0 can't close registration.
    error TooFewOwners(uint16 owners, uint16 needed);
    /// @notice All ships of the account are sunk.
    error NoShipAfloat(uint48 matchId, address account);
    /// @notice The block whose hash decides the call's result doesn't exist yet. The call is
    /// possible from block `from` on.
    error TooSoon(uint40 current, uint40 from);
    /// @notice The account has no ship that can move before turn `readyAt`.
    error NotReady(uint32 turnNo, uint32 readyAt);
    /// @notice The call needs two built-in ships of the account, and both must be afloat.
    error TooFewShips(uint16 afloat, uint16 needed);
    /// @notice Neither ship would learn a new cell, because each ship already knows the other
    /// ship's shots.
    error NothingToTell(uint16 a, uint16 b);
    /// @notice The call has too little gas left for the next captain. This check prevents callers
    /// from sending so little gas that other players' captains fail.
    error NotEnoughGas(uint256 left, uint256 needed);
    /// @notice The ship has no map, because it doesn't exist or a captain controls it.
    error NoMap(uint48 matchId, uint16 ship);

    /// @notice Opens a match. Anyone may call this function.
    /// @param captains true if captains, which are contracts that players have written, can control
    /// ships
    function create(uint8 width, uint8 height, bool captains) external returns (uint48 matchId);

    /// @notice Places a built-in ship of the caller on a random free cell. This is possible before
    /// turn 0, which closes registration.
    function register(uint48 matchId) external returns (uint16 ship);

    /// @notice Places a ship of the caller on a random free cell. The contract `captain` controls
    /// the ship.
    function register(uint48 matchId, address captain) external returns (uint16 ship);

    /// @notice Plays the turn with the number `turnNo`: every ship afloat fires, then the ships
    /// that were hit sink. Turn 0 closes registration instead.
    /// @dev Only an account with a ship afloat may call this function.
    function turn(uint48 matchId, uint32 turnNo) external;

    /// @notice Moves each ship of the caller to a random free cell, if the ship has stayed in place
    /// for five turns.
    function changePosition(uint48 matchId) external;

    /// @notice Lets the caller's two built-in ships share their maps of the cells where they have
    /// fired.
    function communicate(uint48 matchId) external;

    /// @notice Cancels a running match if its last turn was at least a day ago. Anyone may call
    /// this function.
    function expire(uint48 matchId) external;

    /// @notice Returns the complete state of a match, for example to check a displayed board.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the map of a built-in ship, one byte per cell: 0 nothing, 1 the ship itself,
    /// 2 a cell where the ship has fired, 3 its ally afloat.
    function mapOf(uint48 matchId, uint16 ship) external view returns (bytes memory codes);

    /// @notice Returns the cells with a ship, as a bitmap of 256 cells: bit i is cell 256 * word +
    /// i. This function is cheap, so that captains can use it to aim.
    function occupied(uint48 matchId, uint8 word) external view returns (uint256 cells);

    /// @notice Returns the contract that controls a ship. It is either the ship's captain or its
    /// clone of the built-in ship.
    function shipAddress(uint48 matchId, uint16 ship) external view returns (address);
}
