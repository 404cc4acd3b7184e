// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Deblockle with stakes that stream back to their players
/// @notice Cubes roll and hop on a board of 7 x 7 squares: x = 1..7 from left to right, y = 1..7
/// from top to bottom. Seat 0 sits at the bottom and moves first. In a turn, a player rolls a cube
/// to an adjacent square and then hops with the same cube. The cube's top face determines where it
/// can hop; the face stoP allows no hop. A cube that rolls onto its owner's star square and shows
/// Star is removed. A player who has removed all their cubes wins. The match is a draw after six
/// passes in a row or 100 plies without a removal.
///
/// The faces are 1 Star, 2 X-hop, 3 sLide, 4 Hoops, 5 T-hop and 6 stoP; opposite faces add up to 7.
/// An orientation is given by the faces `up`, `front` (towards smaller y, for both players) and
/// `right` (towards larger x). The star squares are (4, 2) for seat 0 and (4, 6) for seat 1. Cubes
/// can't enter the opponent's star square.
///
/// In a match with a stake, a player's own deposit streams back, at `rate` per second, while the
/// opponent thinks. The winner gets the rest of both deposits. A player who lets the opponent's
/// deposit run out loses on time.
interface IDeblockle is IDuel {
    /// @notice Near: a slide ends on any empty square in the row or column, and Hoops reach any
    /// square at a distance of 1 or 3. Nothing blocks the way, and a player may pass. Board: a
    /// slide continues until a cube, the opponent's star square or the edge stops it. Hoops are
    /// three steps through open squares. A player must roll and hop if possible.
    enum Ruleset {
        Near,
        Board
    }

    enum Phase {
        Roll,
        Hop,
        End
    }

    /// @notice A cube on the board, with the faces in three directions.
    /// @param id the number of the cube, 0..3 for seat 0 and 4..7 for seat 1; it never changes in a
    /// match
    struct Cube {
        uint8 id;
        uint8 x;
        uint8 y;
        uint8 up;
        uint8 front;
        uint8 right;
    }

    /// @notice The complete state of a match. Arrays are indexed by seat, except `left`.
    /// @param ply the number of rolls, hops and passes so far, which the next move must name
    /// @param deadline the time, in seconds since 1970, when the clock or the waiting player's
    /// deposit runs out and the timeout can be claimed; 0 if there is none
    /// @param mover the player to move, or the zero address if the match is not in progress
    /// @param players the players; in an open match, the second is the invited account, and the
    /// zero address means anyone
    /// @param cubes the number of cubes per player at the start
    /// @param hopper the cube that has rolled and can hop, or 255 if there is none
    /// @param rolls the rolls that the mover can make, as in TurnChanged; 0 outside the phase Roll
    /// @param hops the squares that the hopper can reach: bit 7 * (y - 1) + x - 1; 0 outside the
    /// phase Hop
    /// @param passes the number of passes in a row so far
    /// @param quiet the number of plies since the last removal
    /// @param token the token of the deposits; the zero address means ether
    /// @param stake each player's deposit, in wei or token units; 0 means a friendly match
    /// @param rate the rate of each stream, in wei or token units per second
    /// @param streamed the seconds for which each deposit has streamed back, without the current
    /// turn
    /// @param withdrawn the amounts that the players have withdrawn, in wei or token units
    /// @param left the cubes on the board, in the order of the starting position
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint24 clock;
        uint40 deadline;
        address mover;
        address[2] players;
        address winner;
        uint8 cubes;
        Ruleset ruleset;
        Phase phase;
        uint8 hopper;
        uint16 rolls;
        uint64 hops;
        uint8 passes;
        uint8 quiet;
        address token;
        uint96 stake;
        uint96 rate;
        uint32[2] streamed;
        uint128[2] withdrawn;
        Cube[] left;
    }

    /// @notice Emitted when a match is opened, with its starting position and its stakes.
    /// @param cubes the number of cubes per player at the start, 1..4
    /// @param token the token of the deposits; the zero address means ether
    /// @param stake each player's deposit, in wei or token units; 0 means a friendly match
    /// @param rate the rate of each stream, in wei or token units per second
    event GameCreated(
        uint48 indexed matchId, uint32 seq, uint8 cubes, Ruleset ruleset, address token, uint96 stake, uint96 rate
    );
    /// @notice Emitted when a player rolls a cube to an adjacent square.
    /// @param ply the ply that the call named
    /// @param hops the squares that the cube can now hop to: bit 7 * (y - 1) + x - 1; 0 means none,
    /// which ends the turn
    event Rolled(
        uint48 indexed matchId,
        uint32 seq,
        uint32 ply,
        address indexed player,
        uint8 cube,
        uint8 fromX,
        uint8 fromY,
        uint8 toX,
        uint8 toY,
        uint8 up,
        uint8 front,
        uint8 right,
        uint64 hops
    );
    /// @notice Emitted when the cube that rolled hops. The cube keeps its orientation.
    event Hopped(
        uint48 indexed matchId,
        uint32 seq,
        uint32 ply,
        address indexed player,
        uint8 cube,
        uint8 fromX,
        uint8 fromY,
        uint8 toX,
        uint8 toY
    );
    /// @notice Emitted when a cube is removed, on its owner's star square and with Star on top.
    /// @param left the number of cubes that its owner has left
    event Removed(uint48 indexed matchId, uint32 seq, address indexed player, uint8 cube, uint8 left);
    /// @notice Emitted when a player passes instead of rolling or hopping.
    event Passed(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed player, Phase phase);
    /// @notice Emitted when a player's turn begins.
    /// @param rolls the rolls that the player can make: bit 4 * (cube % 4) + direction. The
    /// directions are 0 forward (y - 1), 1 right (x + 1), 2 backward (y + 1) and 3 left (x - 1)
    event TurnChanged(uint48 indexed matchId, uint32 seq, address indexed player, uint16 rolls);
    /// @notice Emitted at the end of each turn in a match with a stake. During the turn, the
    /// deposit of `player`, who was waiting, has streamed back.
    /// @param total the seconds for which this deposit has streamed in all turns so far, at most
    /// 2^32 - 1
    event Streamed(uint48 indexed matchId, uint32 seq, address indexed player, uint32 total);
    /// @notice Emitted when a player withdraws the amount due, in wei or token units.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice The number of cubes per player is not between 1 and 4.
    error BadCubes(uint8 cubes);
    /// @notice The ruleset is neither 0 (Near) nor 1 (Board).
    error BadRuleset(uint8 ruleset);
    /// @notice The rate is wrong. With a stake, it must be between 1 and `maximum` per second, so
    /// that a deposit lasts at least a minute. Without a stake, the rate must be 0.
    error BadRate(uint96 rate, uint96 maximum);
    /// @notice The match to repeat is not finished, or other accounts played it.
    error BadRematch(uint48 rematchOf);
    /// @notice The match's token differs from the token in the call. The zero address means ether.
    error WrongToken(address given, address needed);
    /// @notice The match's stake differs from the call's stake. Both are in wei or token units.
    error WrongStake(uint96 given, uint96 needed);
    /// @notice The match has different terms from those in the call. The error contains the match's
    /// terms.
    /// @param cubes the number of cubes per player at the start
    /// @param ruleset 0 for Near, 1 for Board
    /// @param rate the rate of each stream, in wei or token units per second
    /// @param clock the seconds for one turn; 0 means no limit
    error OtherTerms(uint8 cubes, uint8 ruleset, uint96 rate, uint24 clock);
    /// @notice The match has not started, because nobody has joined yet.
    error NotStarted(uint48 matchId);
    /// @notice The square is not on the board: x or y is not between 1 and 7.
    error OffBoard(uint8 x, uint8 y);
    /// @notice There is no cube on this square, so nothing can move from here.
    error EmptySquare(uint8 x, uint8 y);
    /// @notice The cube on this square belongs to the other player.
    error NotYourCube(uint8 x, uint8 y);
    /// @notice The square is the opponent's star square, which your cubes can't enter.
    error RivalsStar(uint8 x, uint8 y);
    /// @notice The cube on square (x, y) has rolled. Only that cube can hop now.
    error WrongPhase(uint8 x, uint8 y);
    /// @notice There is already a cube on the target square.
    error SquareTaken(uint8 x, uint8 y);
    /// @notice The square is not adjacent to the cube, so the cube can't roll there.
    error NotBeside(uint8 x, uint8 y);
    /// @notice After a roll, a cube must show Star on its owner's star square and may show Star
    /// nowhere else.
    /// @param up the face that would be on top after the roll
    error StarOffSquare(uint8 up, uint8 x, uint8 y);
    /// @notice The cube's top face doesn't allow a hop to this square.
    error BadHop(uint8 up, uint8 x, uint8 y);
    /// @notice Passing is not allowed: in the ruleset Board, a player must roll and hop if
    /// possible.
    error MoveRequired(uint48 matchId);
    /// @notice A session key can't pay the stake. The account itself must make the call.
    error KeyCantPay(address key);
    /// @notice Only `inviter`, who opened the match, may cancel it.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice The account has nothing to withdraw from this match now.
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match and deposits the stake. The caller has seat 0 and moves first.
    /// @param opponent the account that may join; the zero address means anyone
    /// @param cubes the number of cubes per player at the start, 1..4
    /// @param ruleset 0 for Near, 1 for Board
    /// @param token the token of the deposits; the zero address means ether
    /// @param stake each player's deposit, in wei or token units; 0 means a friendly match
    /// @param rate the rate at which deposits stream back, in wei or token units per second
    /// @param clock the seconds for one turn; 0 means no limit and is possible only without a stake
    /// @param rematchOf the match that this match repeats, or 0 if it is not a rematch
    function create(
        address opponent,
        uint8 cubes,
        uint8 ruleset,
        address token,
        uint96 stake,
        uint96 rate,
        uint24 clock,
        uint48 rematchOf
    ) external payable returns (uint48 matchId);

    /// @notice Takes the other seat and deposits the same stake. The caller repeats the match's
    /// terms, as in `create`. If a reorg has given this number to a match with other terms, the
    /// call reverts.
    function join(uint48 matchId, uint8 cubes, uint8 ruleset, address token, uint96 stake, uint96 rate, uint24 clock)
        external
        payable;

    /// @notice Cancels the caller's match if nobody has joined yet.
    function cancel(uint48 matchId) external;

    /// @notice Rolls a cube or, after a roll, hops with the same cube.
    function makeMove(uint48 matchId, uint32 ply, uint8 fromX, uint8 fromY, uint8 toX, uint8 toY) external;

    /// @notice Passes instead of rolling or hopping and ends the turn. In the ruleset Board, a
    /// player may pass only if no roll is possible.
    function passMove(uint48 matchId, uint32 ply) external;

    /// @notice Resigns from the match. The other player wins.
    function resign(uint48 matchId) external;

    /// @notice Pays the caller the amount due: the part of the deposit that has streamed back and,
    /// to the winner, the prize.
    function withdraw(uint48 matchId) external;

    /// @notice Returns the complete state of a match, for example to check a displayed board.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the phase, the seat to move (after the match, the winner's seat) and the
    /// cubes.
    function gameState(uint48 matchId) external view returns (Phase phase, uint8 activePlayer, Cube[] memory cubes);

    /// @notice Returns the cube on a square. Reverts with OffBoard or EmptySquare if there is none.
    /// @return seat the seat of the cube's owner
    /// @return cube the cube on the square
    /// @return net the cube unfolded, in four lines: front; left, up and right; back; down
    function cubeState(uint48 matchId, uint8 x, uint8 y)
        external
        view
        returns (uint8 seat, Cube memory cube, string memory net);

    /// @notice Returns the stakes, in wei or token units. Arrays are indexed by seat.
    /// @return players the players, as in BoardView
    /// @return token the token of the deposits; the zero address means ether
    /// @return rate the rate of each stream, per second
    /// @return deposits the players' deposits; 0 for a player who has not joined yet
    /// @return due the amounts that the players can withdraw now
    function status(uint48 matchId)
        external
        view
        returns (
            address[2] memory players,
            address token,
            uint96 rate,
            uint96[2] memory deposits,
            uint128[2] memory due
        );

    /// @notice Returns, for each seat, the amount that has streamed back by the time of the newest
    /// block.
    function streamed(uint48 matchId) external view returns (uint256[2] memory amounts);
}
