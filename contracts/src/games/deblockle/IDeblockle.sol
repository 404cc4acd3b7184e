// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Deblockle with streamed stakes
/// @notice Cubes roll and hop on 7x7 squares: x = 1..7 from left to right, y = 1..7 from top to
/// bottom. Seat 0 sits at the bottom and moves first. A turn is a roll to an adjacent square and
/// then a hop of the same cube according to its top face. If the top face is stoP, there is no hop.
/// A cube that rolls onto its owner's star square and shows Star is removed; a player who has
/// removed all own cubes wins. Six passes in a row, or 100 plies without a removal, are a draw.
///
/// Faces: 1 Star, 2 X-hop, 3 sLide, 4 Hoops, 5 T-hop, 6 stoP; opposite faces sum to 7. A cube's
/// orientation is `up`, `front` (the face towards smaller y, for both players) and `right` (towards
/// larger x). Star squares: (4, 2) of seat 0 and (4, 6) of seat 1; the opponent's can't be entered.
///
/// With a stake, a player's own deposit streams back while the other player thinks, at `rate` per
/// second. The winner gets the rest of both deposits. A player who lets the opponent's deposit run
/// out loses on time.
interface IDeblockle is IDuel {
    /// @notice Near: a slide ends on any empty square of the row or column; Hoops reach any square
    /// at a distance of 1 or 3. Nothing blocks the way, and a player may pass. Board: a slide
    /// continues until a cube, the opponent's star square or the edge stops it; Hoops are three
    /// steps through open squares. A player who can roll or hop must do it.
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
    /// @param id 0..3 of seat 0, 4..7 of seat 1; it stays the same for the whole match
    struct Cube {
        uint8 id;
        uint8 x;
        uint8 y;
        uint8 up;
        uint8 front;
        uint8 right;
    }

    /// @notice A whole match. Arrays are by seat, except `left`.
    /// @param ply deciding moves so far, the number that the next move must name
    /// @param deadline seconds since 1970 from which a timeout can be claimed: the clock or the
    /// waiting player's deposit has run out; 0 = none
    /// @param mover the player to move; the zero address if nobody is
    /// @param players an open match's second player is the invited account; the zero address for
    /// anyone
    /// @param cubes the number of cubes that each player began with
    /// @param hopper the cube that has rolled and can hop; 255 = none
    /// @param rolls the mover's possible rolls, see TurnChanged; 0 outside the phase Roll
    /// @param hops the hopper's targets: bit = 7 * (y - 1) + x - 1; 0 outside the phase Hop
    /// @param passes in a row so far
    /// @param quiet plies since the last removal
    /// @param token the token of the stakes; the zero address for ether
    /// @param stake each player's deposit, in wei or token units; 0 = a friendly match
    /// @param rate of each stream, in wei or token units per second
    /// @param streamed seconds of finished turns for which the deposit has streamed back to its
    /// player
    /// @param withdrawn in wei or token units
    /// @param left the cubes on the board, in the order of the set-up
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

    /// @notice The set-up and the stakes of a match.
    /// @param cubes the number of cubes that each player begins with, 1..4
    /// @param token the zero address for ether
    /// @param stake each player's deposit; 0 = a friendly match
    /// @param rate of the streams, in wei or token units per second
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
    /// @param ply the ply that the call answered
    /// @param hops the cube's targets now: bit = 7 * (y - 1) + x - 1; 0 = none, the turn is over
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

    /// @notice The cube that rolled has hopped; it shows the same faces.
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

    /// @notice The cube that rolled showed Star on its owner's star square.
    /// @param left the number of cubes that its owner still has
    event Removed(uint48 indexed matchId, uint32 seq, address indexed player, uint8 cube, uint8 left);

    /// @notice A player passed instead of rolling, or of hopping after a roll.
    event Passed(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed player, Phase phase);

    /// @notice A player's turn begins.
    /// @param rolls possible rolls: bit = 4 * (cube % 4) + direction; 0 forward (y - 1), 1 right (x
    /// + 1), 2 backward (y + 1), 3 left (x - 1)
    event TurnChanged(uint48 indexed matchId, uint32 seq, address indexed player, uint16 rolls);

    /// @notice Emitted at the end of each turn of a match with a stake. The deposit of `player`,
    /// who waited, has streamed back during the turn.
    /// @param total seconds of its stream in all turns so far, at most 2^32 - 1
    event Streamed(uint48 indexed matchId, uint32 seq, address indexed player, uint32 total);

    /// @notice A player withdrew the money that was due.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice Each player has 1 to 4 cubes.
    error BadCubes(uint8 cubes);
    /// @notice Rulesets are 0 (Near) and 1 (Board).
    error BadRuleset(uint8 ruleset);
    /// @notice With a stake, the rate is 1 to `maximum` per second, so that the streams last at
    /// least a minute; without a stake, it is 0.
    error BadRate(uint96 rate, uint96 maximum);
    /// @notice A rematch repeats a match that is over, with the same two players.
    error BadRematch(uint48 rematchOf);
    /// @notice The match uses another token; the zero address is ether.
    error WrongToken(address given, address needed);
    /// @notice The match has another stake, in wei or token units.
    error WrongStake(uint96 given, uint96 needed);
    /// @notice The terms of the match differ from those in the call. The error contains the match's
    /// terms.
    /// @param cubes the number of cubes that each player begins with
    /// @param ruleset 0 = Near, 1 = Board
    /// @param rate of the streams, in wei or token units per second
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
    /// @notice A cube has rolled. Now the cube on this square hops, or its player passes.
    error WrongPhase(uint8 x, uint8 y);
    /// @notice There is a cube on this square.
    error SquareTaken(uint8 x, uint8 y);
    /// @notice A roll goes to one of the four adjacent squares.
    error NotBeside(uint8 x, uint8 y);
    /// @notice A cube that shows Star after its roll must be on its own star square, and a cube on
    /// that square must show Star.
    /// @param up the face that would be up
    error StarOffSquare(uint8 up, uint8 x, uint8 y);
    /// @notice The top face does not allow a hop to this square.
    error BadHop(uint8 up, uint8 x, uint8 y);
    /// @notice In the ruleset Board, a player who can roll or hop must do it.
    error MoveRequired(uint48 matchId);
    /// @notice A session key can play, but not spend: a stake comes from the account itself.
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
    /// @param rate at which deposits stream back, in wei or token units per second
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
    /// order of `create`. The call reverts if another match has got the number meanwhile, because
    /// its terms differ.
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

    /// @notice Passes instead of a roll or a hop: the other player rolls. The ruleset Board allows
    /// it only if no roll is possible.
    function passMove(uint48 matchId, uint32 ply) external;

    /// @notice Resigns: the other player wins.
    function resign(uint48 matchId) external;

    /// @notice Pays the caller everything due so far: the streamed part of the deposit and, after
    /// the match, the prize.
    function withdraw(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the position: phase, seat of the player to move (after the match, of the
    /// winner), and the cubes.
    function gameState(uint48 matchId) external view returns (Phase phase, uint8 activePlayer, Cube[] memory cubes);

    /// @notice Returns the cube on a square. Reverts with EmptySquare and OffBoard.
    /// @return seat its owner's seat
    /// @return cube the cube whose faces the net shows
    /// @return net the cube unfolded, in four rows: front; left up right; back; down
    function cubeState(
        uint48 matchId,
        uint8 x,
        uint8 y
    ) external view returns (uint8 seat, Cube memory cube, string memory net);

    /// @notice Returns the stakes, in wei or token units. Arrays are by seat.
    /// @return players as in BoardView
    /// @return token the zero address for ether
    /// @return rate of each stream, per second
    /// @return deposits 0 for a player who has not deposited yet
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

    /// @notice Returns the amounts of both deposits that have streamed back so far, to the second
    /// of the newest block.
    function streamed(uint48 matchId) external view returns (uint256[2] memory amounts);
}
