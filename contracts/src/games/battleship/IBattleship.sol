// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Battleship with sealed fleets
/// @notice Two players hide five boats (17 tiles) on grids 9 wide and 11 high, tiles 0..98 row by row from the top left.
/// Each seals its fleet by a commitment, SHA-256 of the BIPF list [ships, nonce], and reveals it at the end: then every
/// answer is checked. Who invites is seat 0; who accepts is seat 1 and fires first. Each move answers the last shot and
/// fires the next. Masks are bitmaps: bit = tile.
///
/// The shooting ends with the 17th hit, a surrender or a timeout; that declares a loser. Both have `REVEAL_WINDOW`, or
/// the clock if that is longer, to reveal. Who revealed a false fleet or false answers can't win; the declared loser wins when
/// the other did that, or, on 17 hits, when the other is silent. Where nobody wins each gets the own deposit back.
interface IBattleship is IDuel {
    /// @notice A whole match. Arrays are by seat.
    /// @param ply deciding moves so far = the number the next `move` must name
    /// @param deadline seconds since 1970 from which a timeout can be claimed; 0 = none
    /// @param mover who is to move; the zero address outside the shooting
    /// @param players the second one is who is invited while the match is open; the zero address for anyone
    /// @param shots tiles that a player has fired at and that were answered
    /// @param hits those of them answered as hits
    /// @param revealing whether the shooting is over and the reveals are awaited
    /// @param pending the tile fired at and not answered yet; 255 = none
    /// @param loser the declared one; the zero address before the shooting is over
    /// @param cause why the shooting ended: Won (17 hits), Resigned, Timeout; None before
    /// @param faults of a revealed fleet: see Revealed
    /// @param token what the stakes are; the zero address for ether
    /// @param stake what each deposits, in wei or token units; 0 = a friendly match
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

    /// @notice What each player deposits. Only in a match with a stake, when it is opened.
    /// @param token the zero address for ether
    event Staked(uint48 indexed matchId, uint32 seq, address indexed token, uint96 amount);

    /// @notice A player's fleet is fixed.
    event Sealed(uint48 indexed matchId, uint32 seq, address indexed player, bytes32 commitment);

    /// @notice A shot was fired.
    /// @param ply the one that the call answered; 0 for the first shot
    event Shot(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile);

    /// @notice `by`, who was fired at, told whether the shot hit.
    event Answered(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 tile, bool hit);

    /// @notice The shooting is over; the fleets are revealed until `deadline`.
    /// @param cause Won (17 hits), Resigned or Timeout
    event GameOver(uint48 indexed matchId, uint32 seq, address indexed loser, Reason cause, uint40 deadline);

    /// @notice A player revealed the fleet that the commitment sealed.
    /// @param ships the string, as bytes: nobody has looked whether it is UTF-8
    /// @param message a chat message, likewise
    /// @param fault 0 none, 1 malformed string, 2 not the five boats, 3 off the grid, 4 overlap, 5 a false answer
    event Revealed(
        uint48 indexed matchId,
        uint32 seq,
        address indexed by,
        bytes ships,
        bytes32 nonce,
        bytes message,
        uint8 fault
    );

    /// @notice A player took out what it is owed.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice The commitment to a fleet is missing.
    error ZeroCommitment();
    /// @notice An account seals a fleet once, and the two of a match not alike: a copy could be opened by the other's reveal.
    error CommitmentUsed(bytes32 commitment);
    /// @notice Tiles are 0..98.
    error BadTile(uint8 tile);
    /// @notice The player has fired there before.
    error TileTaken(uint8 tile);
    /// @notice The shooting is over (`revealing`), or not yet.
    error WrongPhase(uint48 matchId, bool revealing);
    /// @notice Ships and nonce are not those that were sealed.
    error BadReveal(bytes32 expected, bytes32 computed);
    /// @notice A player reveals once.
    error AlreadyRevealed(uint48 matchId, address account);
    /// @notice A text of so many bytes is too long.
    error TooLong(uint256 length, uint256 allowed);
    /// @notice A session key plays, but does not spend: a stake comes from the account itself.
    error KeyCantPay(address key);
    /// @notice Who opened the match is `inviter`.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice The account is owed nothing (any more).
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match, deposits the stake and seals a fleet.
    /// @param opponent who may accept; the zero address for anyone
    /// @param clock seconds for one move; 0 = none, in a friendly match only
    /// @param token what to play for, where the stake isn't 0; the zero address for ether
    /// @param stake what each deposits, in wei or token units; 0 = a friendly match
    function invite(
        address opponent,
        bytes32 commitment,
        uint24 clock,
        address token,
        uint96 stake
    ) external payable returns (uint48 matchId);

    /// @notice Takes the other seat, deposits the same stake, seals a fleet and fires the first shot.
    function accept(uint48 matchId, bytes32 commitment, uint8 tile) external payable;

    /// @notice The account that was invited by name says no.
    function decline(uint48 matchId) external;

    /// @notice Who opened the match takes it back before anybody has accepted.
    function cancel(uint48 matchId) external;

    /// @notice Answers the shot at `answeredTile` and fires the next one. That is not fired, and may be anything, when the
    /// answer ends the shooting: as the 17th hit, or as one that proves a lie since too few tiles are left for 17.
    /// @param answeredTile a different one pending is StaleMove: a re-ordered shot must not make a true answer a lie
    function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile) external;

    /// @notice Gives the match up and reveals the caller's fleet.
    /// @param ships at most 255 bytes
    /// @param message at most 280 bytes
    function surrender(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Reveals the caller's fleet when the shooting is over. The second reveal settles the match.
    /// @param ships at most 255 bytes
    /// @param message at most 280 bytes
    function reveal(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message) external;

    /// @notice Pays the caller what the match owes it: both stakes to the winner, else the own one back.
    function withdraw(uint48 matchId) external;

    /// @notice The whole match, for comparing a shown board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);
}
