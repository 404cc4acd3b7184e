// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Battleship with sealed fleets
/// @notice Each of two players hides five ships (17 tiles) on a grid 9 wide and 11 high. Tiles are
/// numbered 0..98, row by row from the top left. Each player seals a fleet with a commitment,
/// SHA-256 of the BIPF list [ships, nonce]. At the end, both reveal their fleets, and the contract
/// checks every answer. The inviter is seat 0. Seat 1 accepts and fires first. Each move answers
/// the last shot and fires the next. Masks are bitmaps: bit = tile.
///
/// The 17th hit, a surrender or a timeout ends the shooting and declares a loser. Then both players
/// have `REVEAL_WINDOW`, or the clock if that is longer, to reveal. A player who reveals an invalid
/// fleet or gave false answers can't win. The declared loser wins by revealing a valid fleet if the
/// other player cheated like that or, after 17 hits, doesn't reveal. If nobody wins, both players
/// get their deposits back.
interface IBattleship is IDuel {
    /// @notice A whole match. Arrays are by seat.
    /// @param ply deciding moves so far, which the next `move` must name
    /// @param deadline seconds since 1970 from which a timeout can be claimed; 0 = none
    /// @param mover the player to move; the zero address unless shooting is in progress
    /// @param players the accounts; in an open match, the second is the invited account, or the
    /// zero address if anyone may accept
    /// @param shots a player's answered shots
    /// @param hits a player's shots that were answered as hits
    /// @param revealing true while the contract waits for reveals after the shooting
    /// @param pending the tile of the shot that is not answered yet; 255 = none
    /// @param loser the declared loser; the zero address before the shooting is over
    /// @param cause the reason for the end of the shooting: Won (17 hits), Resigned, Timeout; None
    /// before
    /// @param faults the fault of each player's revealed fleet, as in the event Revealed
    /// @param token the token of the stakes; the zero address for ether
    /// @param stake each player's deposit, in wei or token units; 0 = a friendly match
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint24 clock;
        uint40 deadline;
        address mover;
        address[2] players;
        bytes32[2] commitments;
        uint128[2] shots;
        uint128[2] hits;
        bool revealing;
        uint8 pending;
        address loser;
        Reason cause;
        bool[2] revealed;
        uint8[2] faults;
        address token;
        uint96 stake;
        address winner;
        bool[2] withdrawn;
    }

    /// @notice The deposit of each player. Emitted when a match with a stake is opened.
    /// @param token the zero address for ether
    event Staked(uint48 indexed matchId, uint32 seq, address indexed token, uint96 amount);

    /// @notice A player sealed a fleet.
    event Sealed(uint48 indexed matchId, uint32 seq, address indexed player, bytes32 commitment);

    /// @notice A shot was fired.
    /// @param ply the number of the move in which the shot was fired; 0 for the first shot
    event Shot(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile);

    /// @notice `by`, the target of the shot, answered whether it was a hit.
    event Answered(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile, bool hit);

    /// @notice The shooting is over. The players can reveal their fleets until `deadline`.
    /// @param cause Won (17 hits), Resigned or Timeout
    event GameOver(uint48 indexed matchId, uint32 seq, address indexed loser, Reason cause, uint40 deadline);

    /// @notice A player revealed the fleet that the commitment sealed.
    /// @param ships the string that encodes the fleet, as bytes that may not be valid UTF-8
    /// @param message a chat message, as bytes that may not be valid UTF-8
    /// @param fault 0 none, 1 malformed string, 2 not the five ships, 3 off the grid, 4 overlap, 5
    /// a false answer
    event Revealed(
        uint48 indexed matchId,
        uint32 seq,
        address indexed by,
        bytes ships,
        bytes32 nonce,
        bytes message,
        uint8 fault
    );

    /// @notice A player withdrew the amount due.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice The commitment to a fleet is missing.
    error ZeroCommitment();
    /// @notice The commitment was used before. An account can't seal the same fleet and nonce
    /// twice. The two commitments of a match must also differ. Otherwise, a player could copy the
    /// opponent's commitment and later repeat the opponent's reveal.
    error CommitmentUsed(bytes32 commitment);
    /// @notice Tiles are 0..98.
    error BadTile(uint8 tile);
    /// @notice The player has already fired at this tile.
    error TileTaken(uint8 tile);
    /// @notice The call belongs to another phase: the shooting is already over if `revealing`,
    /// otherwise it isn't over yet.
    error WrongPhase(uint48 matchId, bool revealing);
    /// @notice Ships and nonce don't match the commitment.
    error BadReveal(bytes32 expected, bytes32 computed);
    /// @notice A player can reveal only once.
    error AlreadyRevealed(uint48 matchId, address account);
    /// @notice The text is too long. Lengths are in bytes.
    error TooLong(uint256 length, uint256 allowed);
    /// @notice A session key can play, but can't spend money. The account itself must call if there
    /// is a stake.
    error KeyCantPay(address key);
    /// @notice `inviter` opened the match.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice Nothing is due to the account now.
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match, deposits the stake and seals a fleet.
    /// @param opponent the account that may accept; the zero address for anyone
    /// @param clock seconds for one move; 0 = none, only in a friendly match
    /// @param token the token of the stake, if there is one; the zero address for ether
    /// @param stake each player's deposit, in wei or token units; 0 = a friendly match
    function invite(
        address opponent,
        bytes32 commitment,
        uint24 clock,
        address token,
        uint96 stake
    ) external payable returns (uint48 matchId);

    /// @notice Takes the other seat, deposits the same stake, seals a fleet and fires first.
    function accept(uint48 matchId, bytes32 commitment, uint8 tile) external payable;

    /// @notice Declines an invitation. Only the invited account may call this function.
    function decline(uint48 matchId) external;

    /// @notice Cancels the caller's match if nobody has accepted it.
    function cancel(uint48 matchId) external;

    /// @notice Answers the shot at `answeredTile` and fires the next shot. `tile` is ignored if the
    /// answer ends the shooting. The 17th hit ends the shooting, and so does a proven lie: too few
    /// tiles are left for 17 hits.
    /// @param answeredTile the tile of the unanswered shot; with another tile, reverts with
    /// StaleMove. A reorg that changes the shot can't turn a true answer into a lie
    function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile) external;

    /// @notice Surrenders and reveals the caller's fleet.
    /// @param ships the string that encodes the fleet, at most 255 bytes
    /// @param message a chat message, at most 280 bytes
    function surrender(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Reveals the caller's fleet after the shooting. The second reveal settles the match.
    /// @param ships the string that encodes the fleet, at most 255 bytes
    /// @param message a chat message, at most 280 bytes
    function reveal(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Pays the caller the amount due: both stakes if the caller won, or the caller's own
    /// stake if nobody won.
    function withdraw(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);
}
