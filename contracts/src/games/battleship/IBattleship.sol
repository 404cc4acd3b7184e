// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Battleship with sealed fleets
/// @notice Each of two players hides five ships (17 tiles) on a grid of 9 x 11 tiles. Tiles are
/// numbered 0..98 row by row from the top left. Each player seals a fleet with a commitment: the
/// SHA-256 hash of the BIPF list [ships, nonce]. At the end, the players reveal their fleets, and
/// the contract checks every answer. The player who opens the match has seat 0. The player who
/// accepts it has seat 1 and fires first. Each move answers the opponent's last shot and fires the
/// next one. Sets of tiles are bitmaps: bit i is tile i.
///
/// The shooting ends with the 17th hit, a surrender or a timeout. The player who was hit 17 times,
/// surrendered or ran out of time is the declared loser. Both players then have `REVEAL_WINDOW`
/// seconds to reveal their fleets, or the clock's time if that is longer. A player whose fleet is
/// invalid or who gave a false answer can't win. The declared loser wins if the opponent cheated in
/// one of these two ways. After 17 hits, the declared loser also wins if the opponent doesn't
/// reveal. If nobody wins, both players get their own deposits back.
interface IBattleship is IDuel {
    /// @notice The complete state of a match. Arrays are indexed by seat.
    /// @param ply the number of moves so far, which the next `move` must name
    /// @param deadline the time from which anyone can claim the timeout, in seconds since 1970, or
    /// 0 if no clock is running
    /// @param mover the player who must answer and fire, or the zero address if the players aren't
    /// shooting
    /// @param players the players; in an open match, the second is the invited account, and the
    /// zero address means anyone
    /// @param shots the tiles of each player's answered shots
    /// @param hits the tiles of each player's shots that were answered as hits
    /// @param revealing true while the match waits for reveals, after the end of the shooting
    /// @param pending the tile of the shot that the mover must answer, or 255 if there is none
    /// @param loser the player who loses unless the reveals change the result, or the zero address
    /// during the shooting
    /// @param cause the reason for the end of the shooting: Won (17 hits), Resigned or Timeout;
    /// None during the shooting
    /// @param faults the first fault of each revealed fleet, numbered as in the event Revealed
    /// @param token the token of the deposits; the zero address means ether
    /// @param stake each player's deposit, in wei or token units; 0 means a friendly match
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

    /// @notice Emitted when a match with a stake is opened. `amount` is each player's deposit, in
    /// wei or token units.
    /// @param token the token of the deposits; the zero address means ether
    event Staked(uint48 indexed matchId, uint32 seq, address indexed token, uint96 amount);

    /// @notice Emitted when a player commits to a fleet.
    event Sealed(uint48 indexed matchId, uint32 seq, address indexed player, bytes32 commitment);

    /// @notice Emitted when a player fires a shot.
    /// @param ply the ply that the call named; 0 for the shot in `accept`
    event Shot(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile);

    /// @notice Emitted when `by`, the target of the last shot, answers the shot. `hit` is true for
    /// a hit.
    event Answered(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile, bool hit);

    /// @notice Emitted when the shooting ends. The players can reveal their fleets until `deadline`
    /// (seconds since 1970).
    /// @param cause the reason for the end: Won (17 hits), Resigned or Timeout
    event GameOver(uint48 indexed matchId, uint32 seq, address indexed loser, Reason cause, uint40 deadline);

    /// @notice Emitted when a player reveals the fleet behind the commitment.
    /// @param ships the fleet string as bytes, because the contract doesn't check that it is UTF-8
    /// @param message a chat message, as bytes that may not be valid UTF-8
    /// @param fault the first fault of the fleet: 0 none, 1 malformed string, 2 not the five ships,
    /// 3 a ship off the grid, 4 overlapping ships, 5 a false answer
    event Revealed(
        uint48 indexed matchId, uint32 seq, address indexed by, bytes ships, bytes32 nonce, bytes message, uint8 fault
    );

    /// @notice Emitted when a player withdraws the amount due, in wei or token units.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice The commitment is 0, so it can't be the hash of a fleet.
    error ZeroCommitment();
    /// @notice The account has already used the commitment, or the opponent has used it in this
    /// match. Otherwise a player could copy the opponent's commitment and repeat the opponent's
    /// reveal.
    error CommitmentUsed(bytes32 commitment);
    /// @notice The tile is not between 0 and 98.
    error BadTile(uint8 tile);
    /// @notice The player has already fired at this tile.
    error TileTaken(uint8 tile);
    /// @notice The call isn't possible in the match's current phase. If `revealing` is true, the
    /// match is waiting for reveals. Otherwise the players are still shooting.
    error WrongPhase(uint48 matchId, bool revealing);
    /// @notice The ships and the nonce don't match the commitment.
    error BadReveal(bytes32 expected, bytes32 computed);
    /// @notice The player has already revealed their fleet.
    error AlreadyRevealed(uint48 matchId, address account);
    /// @notice The fleet string or the message is too long. Both lengths are in bytes.
    error TooLong(uint256 length, uint256 allowed);
    /// @notice A session key can't pay the stake. The account itself must make the call.
    error KeyCantPay(address key);
    /// @notice Only `inviter`, who opened the match, may cancel it.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice The account has nothing to withdraw from this match now.
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match, deposits the stake and commits to a fleet.
    /// @param opponent the account that may accept; the zero address means anyone
    /// @param clock the seconds for one move, from 30 seconds (60 with a stake) to 30 days; 0 means
    /// no limit and is possible only without a stake
    /// @param token the token of the deposits; the zero address means ether
    /// @param stake each player's deposit, in wei or token units; 0 means a friendly match
    function invite(address opponent, bytes32 commitment, uint24 clock, address token, uint96 stake)
        external
        payable
        returns (uint48 matchId);

    /// @notice Accepts an open match. The call takes the second seat, deposits the same stake,
    /// commits to a fleet and fires the first shot.
    function accept(uint48 matchId, bytes32 commitment, uint8 tile) external payable;

    /// @notice Declines the invitation to a match. Only the invited account may call this function.
    function decline(uint48 matchId) external;

    /// @notice Cancels the caller's match if nobody has accepted it yet.
    function cancel(uint48 matchId) external;

    /// @notice Answers the opponent's last shot and fires the next shot, at `tile`. No shot is
    /// fired if the answer ends the shooting. The 17th hit ends it. A miss also ends it if too few
    /// tiles are left for 17 hits, because one of the answers must be false.
    /// @param answeredTile the tile of the shot that this call answers; if it isn't the pending
    /// shot, the call reverts with StaleMove. Otherwise a reorg could turn a true answer into a
    /// false one
    function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile) external;

    /// @notice Surrenders and reveals the caller's fleet.
    /// @param ships the fleet string, at most 255 bytes long
    /// @param message a chat message, at most 280 bytes long
    function surrender(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Reveals the caller's fleet after the end of the shooting. The second reveal ends the
    /// match.
    /// @param ships the fleet string, at most 255 bytes long
    /// @param message a chat message, at most 280 bytes long
    function reveal(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Pays the caller the amount due. The winner gets both deposits. If nobody won, both
    /// players get their own deposits back.
    function withdraw(uint48 matchId) external;

    /// @notice Returns the complete state of a match, for example to check a displayed board.
    function board(uint48 matchId) external view returns (BoardView memory);
}
