// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Deblockle with streamed stakes
/// @notice Cubes roll and hop on 7x7 squares: x = 1..7 from left to right, y = 1..7 from top to
/// bottom. Seat 0 sits at the bottom and moves first. In a turn, a cube rolls to an adjacent square
/// and then hops according to its top face. If that face is stoP, there is no hop. A cube that
/// rolls onto its owner's star square and shows Star is removed. The first player without cubes
/// wins. Six passes in a row, or 100 plies without a removal, make a draw.
///
/// Faces: 1 Star, 2 X-hop, 3 sLide, 4 Hoops, 5 T-hop, 6 stoP; opposite faces sum to 7. A cube's
/// orientation is `up`, `front` (the face towards smaller y, for both players) and `right` (towards
/// larger x). Star squares: (4, 2) of seat 0, (4, 6) of seat 1. No cube can enter the opponent's
/// star square.
///
/// With a stake, a player's deposit streams back, at `rate` per second, while the opponent thinks.
/// The winner gets the rest of both deposits. A player who thinks until the opponent's deposit has
/// fully streamed back loses on time.
interface IDeblockle is IDuel {
    /// @notice The two rulesets. Near: a slide ends on any empty square of the row or column, and
    /// Hoops reach any square at a distance of 1 or 3. Cubes in between don't matter, and a player
    /// may pass. Board: a slide ends only before a cube, the opponent's star square or the edge,
    /// and Hoops are three steps through open squares. A player who can roll or hop must do it.
    enum Ruleset {
        Near,
        Board
    }

    enum Phase {
        Roll,
        Hop,
        End
    }

    /// @notice A cube on the board.
    /// @param id the cube's number for the whole match: 0..3 of seat 0, 4..7 of seat 1
    struct Cube {
        uint8 id;
        uint8 x;
        uint8 y;
        uint8 up;
        uint8 front;
        uint8 right;
    }

    /// @notice A whole match. Arrays are by seat, except `left`.
    /// @param ply deciding moves so far, which the next move must name
    /// @param deadline seconds since 1970 from which a timeout can be claimed: the clock or the
    /// waiting player's deposit has run out; 0 = none
    /// @param mover the player to move; the zero address if nobody is
    /// @param players the accounts; in an open match, the second is the invited account, or the
    /// zero address for anyone
    /// @param cubes the number of cubes that each player began with
    /// @param hopper the number of the cube that has rolled and can hop; 255 = none
    /// @param rolls the mover's possible rolls, as in TurnChanged; 0 outside the phase Roll
    /// @param hops where the cube can hop to: bit = 7 * (y - 1) + x - 1; 0 outside the phase Hop
    /// @param passes the number of passes in a row so far
    /// @param quiet the number of plies since the last removal
    /// @param token the token of the stakes; the zero address for ether
    /// @param stake each player's deposit, in wei or token units; 0 = a friendly match
    /// @param rate the rate of each stream, in wei or token units per second
    /// @param streamed seconds of finished turns for which the deposit has streamed back to its
    /// player
    /// @param withdrawn the amounts withdrawn, in wei or token units
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

    /// @notice The starting position and the stakes of a match. Emitted when the match is opened.
    /// @param cubes the number of cubes that each player begins with, 1..4
    /// @param token the zero address for ether
    /// @param stake each player's deposit; 0 = a friendly match
    /// @param rate the rate of each stream, in wei or token units per second
    event GameCreated(
        uint48 indexed matchId,
        uint32 seq,
        uint8 cubes,
        Ruleset ruleset,
        address token,
        uint96 stake,
        uint96 rate
    );

    /// @notice A player rolled a cube to an adjacent square.
    /// @param ply the number of the move in which the cube rolled
    /// @param hops where the cube can hop to: bit = 7 * (y - 1) + x - 1; 0 = nowhere
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

    /// @notice The cube that rolled has hopped. Its faces stay the same.
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

    /// @notice The cube that rolled was removed, because it showed Star on its owner's star square.
    /// @param left the number of cubes that the owner still has
    event Removed(uint48 indexed matchId, uint32 seq, address indexed player, uint8 cube, uint8 left);

    /// @notice A player passed instead of rolling, or instead of hopping after a roll.
    event Passed(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed player, Phase phase);

    /// @notice A player's turn begins.
    /// @param rolls possible rolls: bit = 4 * (cube % 4) + direction; 0 forward (y - 1), 1 right (x
    /// + 1), 2 backward (y + 1), 3 left (x - 1)
    event TurnChanged(uint48 indexed matchId, uint32 seq, address indexed player, uint16 rolls);

    /// @notice In a match with a stake, a turn ended. During it, the deposit of `player` streamed
    /// back.
    /// @param total seconds for which the deposit has streamed in all turns, at most 2^32 - 1
    event Streamed(uint48 indexed matchId, uint32 seq, address indexed player, uint32 total);

    /// @notice A player withdrew the amount due.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice Each player has 1 to 4 cubes.
    error BadCubes(uint8 cubes);
    /// @notice Rulesets are 0 (Near) and 1 (Board).
    error BadRuleset(uint8 ruleset);
    /// @notice With a stake, the rate must be 1 to `maximum` per second, so that a stream lasts at
    /// least a minute. Without a stake, it must be 0.
    error BadRate(uint96 rate, uint96 maximum);
    /// @notice A rematch repeats a match that is over, with the same two players.
    error BadRematch(uint48 rematchOf);
    /// @notice The match's token differs from the one in the call. The zero address is ether.
    error WrongToken(address given, address needed);
    /// @notice The match's stake, in wei or token units, differs from the one in the call.
    error WrongStake(uint96 given, uint96 needed);
    /// @notice The match's terms differ from those in the call. The error contains the match's
    /// terms.
    /// @param cubes the number of cubes that each player begins with
    /// @param ruleset 0 = Near, 1 = Board
    /// @param rate the rate of each stream, in wei or token units per second
    /// @param clock seconds for one turn; 0 = none
    error OtherTerms(uint8 cubes, uint8 ruleset, uint96 rate, uint24 clock);
    /// @notice Nobody has joined yet.
    error NotStarted(uint48 matchId);
    /// @notice Squares are (1, 1) to (7, 7).
    error OffBoard(uint8 x, uint8 y);
    /// @notice There is no cube on this square.
    error EmptySquare(uint8 x, uint8 y);
    /// @notice The cube on this square belongs to the other player.
    error NotYourCube(uint8 x, uint8 y);
    /// @notice The square is the other player's star square, which you can't enter.
    error RivalsStar(uint8 x, uint8 y);
    /// @notice A cube has rolled. Now that cube, on this square, must hop, or the player must pass.
    error WrongPhase(uint8 x, uint8 y);
    /// @notice There is a cube on this square.
    error SquareTaken(uint8 x, uint8 y);
    /// @notice A roll goes to one of the four adjacent squares.
    error NotBeside(uint8 x, uint8 y);
    /// @notice After a roll, a cube shows Star if and only if it is on its own star square.
    /// @param up the face that would be up
    error StarOffSquare(uint8 up, uint8 x, uint8 y);
    /// @notice The top face doesn't allow a hop to this square.
    error BadHop(uint8 up, uint8 x, uint8 y);
    /// @notice In the ruleset Board, a player who can roll or hop must do it.
    error MoveRequired(uint48 matchId);
    /// @notice A session key can't spend money. With a stake, the account itself must call.
    error KeyCantPay(address key);
    /// @notice `inviter` opened the match.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice Nothing is due to the account now.
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match and deposits the stake. The account that opens it moves first.
    /// @param opponent the account that may join; the zero address for anyone
    /// @param cubes the number of cubes that each player begins with, 1..4
    /// @param ruleset 0 = Near, 1 = Board
    /// @param token the token of the stake, if there is one; the zero address for ether
    /// @param stake each player's deposit, in wei or token units; 0 = a friendly match
    /// @param rate the amount that streams back, in wei or token units per second
    /// @param clock seconds for one turn; 0 = none, only in a friendly match
    /// @param rematchOf the match that this match repeats; 0 = none
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

    /// @notice Takes the other seat and deposits the same stake. The caller names the terms in the
    /// order of `create`. If a reorg has given the number to a match with other terms, the call
    /// reverts.
    function join(
        uint48 matchId,
        uint8 cubes,
        uint8 ruleset,
        address token,
        uint96 stake,
        uint96 rate,
        uint24 clock
    ) external payable;

    /// @notice Cancels the caller's match if nobody has joined.
    function cancel(uint48 matchId) external;

    /// @notice Rolls a cube, or hops with the cube that rolled.
    function makeMove(uint48 matchId, uint32 ply, uint8 fromX, uint8 fromY, uint8 toX, uint8 toY) external;

    /// @notice Passes instead of a roll or a hop, so that the other player rolls. In the ruleset
    /// Board, a player may pass only if no roll is possible.
    function passMove(uint48 matchId, uint32 ply) external;

    /// @notice Resigns: the other player wins.
    function resign(uint48 matchId) external;

    /// @notice Pays the caller everything due so far: the part of the deposit that has streamed
    /// back and, after the match, the prize.
    function withdraw(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the position: the phase, the seat of the player to move (after the match, of
    /// the winner), and the cubes.
    function gameState(uint48 matchId) external view returns (Phase phase, uint8 activePlayer, Cube[] memory cubes);

    /// @notice Returns the cube on a square. Reverts with EmptySquare and OffBoard.
    /// @return seat the seat of the cube's owner
    /// @return cube the cube on the square
    /// @return net the unfolded cube, in four rows: front; left, up and right; back; down
    function cubeState(
        uint48 matchId,
        uint8 x,
        uint8 y
    ) external view returns (uint8 seat, Cube memory cube, string memory net);

    /// @notice Returns the stakes, in wei or token units. Arrays are by seat.
    /// @return players the accounts, as in BoardView
    /// @return token the zero address for ether
    /// @return rate the rate of each stream, per second
    /// @return deposits each player's deposit; 0 if the player hasn't deposited yet
    /// @return due the amounts that the players can withdraw now
    function status(
        uint48 matchId
    )
        external
        view
        returns (
            address[2] memory players,
            address token,
            uint96 rate,
            uint96[2] memory deposits,
            uint128[2] memory due
        );

    /// @notice Returns the amounts that have streamed back from both deposits, up to the second of
    /// the newest block.
    function streamed(uint48 matchId) external view returns (uint256[2] memory amounts);
}
