// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Deblockle with streamed stakes
/// @notice Cubes roll and hop on 7x7 squares: x = 1..7 from left to right, y = 1..7 from top to bottom. Seat 0 sits at the
/// bottom and moves first. A turn is a roll to a square beside and then, unless stoP came up, a hop of the same cube as
/// the face that is up says. A cube that rolls onto its owner's star square and shows Star is removed; who has removed
/// all own cubes wins. Six passes in a row, or 100 plies without a removal, are a draw.
///
/// Faces: 1 Star, 2 X-hop, 3 sLide, 4 Hoops, 5 T-hop, 6 stoP; opposite ones sum to 7. A cube's orientation is `up`,
/// `front` (the face towards smaller y, for both players) and `right` (towards larger x). Star squares: (4, 2) of seat 0
/// and (4, 6) of seat 1; the rival's can't be entered.
///
/// With a stake a player's own deposit streams back to it while the other thinks, `rate` a second; the winner gets what
/// is left of both. Who lets the other's deposit run dry has lost on time.
interface IDeblockle is IDuel {
    /// @notice Near: a slide ends on any empty square of the row or column, Hoops reach any square at a distance of 1 or 3,
    /// nothing stands in the way, and a player may pass. Board: a slide goes on until something or the edge stops it,
    /// Hoops are three steps through open squares, and who can roll or hop must.
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

    /// @notice A whole match. Arrays are by seat, but for `left`.
    /// @param ply deciding moves so far = the number the next move must name
    /// @param deadline seconds since 1970 from which a timeout can be claimed: the clock has run out, or the waiting
    /// player's deposit has; 0 = none
    /// @param mover who is to move; the zero address when nobody is
    /// @param players the second one is who is invited while the match is open; the zero address for anyone
    /// @param cubes that each player began with
    /// @param hopper the cube that has rolled and is to hop; 255 = none
    /// @param rolls what the player to move can roll: see TurnChanged; 0 outside the phase Roll
    /// @param hops where the hopper can hop: bit = 7 * (y - 1) + x - 1; 0 outside the phase Hop
    /// @param passes in a row so far
    /// @param quiet plies since the last removal
    /// @param token what the stakes are; the zero address for ether
    /// @param stake what each deposits, in wei or token units; 0 = a friendly match
    /// @param rate of each stream, in wei or token units a second
    /// @param streamed seconds of finished turns for which the deposit has streamed back to its player
    /// @param withdrawn in wei or token units
    /// @param left the cubes that are still there, in the order of the set-up
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

    /// @notice What is played, and for what.
    /// @param cubes that each player begins with, 1..4
    /// @param token the zero address for ether
    /// @param stake what each deposits; 0 = a friendly match
    /// @param rate of the streams, in wei or token units a second
    event GameCreated(
        uint48 indexed matchId,
        uint32 seq,
        uint8 cubes,
        Ruleset ruleset,
        address token,
        uint96 stake,
        uint96 rate
    );

    /// @notice A cube was rolled to a square beside.
    /// @param ply the one that the call answered
    /// @param hops where it can hop now: bit = 7 * (y - 1) + x - 1; 0 = nowhere, the turn is over
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

    /// @notice The cube that was rolled has hopped; it shows the same faces.
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

    /// @notice The cube that was rolled showed Star on its owner's star square.
    /// @param left how many its owner still has
    event Removed(uint48 indexed matchId, uint32 seq, address indexed player, uint8 cube, uint8 left);

    /// @notice A player has let a roll, or the hop after it, go by.
    event Passed(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed player, Phase phase);

    /// @notice It is a player's turn now.
    /// @param rolls what it can roll: bit = 4 * (cube % 4) + direction; 0 forward (y - 1), 1 right (x + 1), 2 backward
    /// (y + 1), 3 left (x - 1)
    event TurnChanged(uint48 indexed matchId, uint32 seq, address indexed player, uint16 rolls);

    /// @notice In a match with a stake, whenever a turn is over: the deposit of `player` streamed back to it meanwhile.
    /// @param total seconds of its stream, of all turns so far; 2^32 - 1 at most
    event Streamed(uint48 indexed matchId, uint32 seq, address indexed player, uint32 total);

    /// @notice A player took out what has come to it.
    event Withdrawn(uint48 indexed matchId, uint32 seq, address indexed account, address token, uint256 amount);

    /// @notice Each player has 1 to 4 cubes.
    error BadCubes(uint8 cubes);
    /// @notice Rulesets are 0 (Near) and 1 (Board).
    error BadRuleset(uint8 ruleset);
    /// @notice With a stake the streams flow at 1 to `maximum` a second, so that they last for a minute at least; without one at 0.
    error BadRate(uint96 rate, uint96 maximum);
    /// @notice A rematch repeats a match that is over, and is for the same two players.
    error BadRematch(uint48 rematchOf);
    /// @notice The match is for another token; the zero address is ether.
    error WrongToken(address given, address needed);
    /// @notice The match has another stake, in wei or token units.
    error WrongStake(uint96 given, uint96 needed);
    /// @notice The match has other terms than the call names: those that are told.
    /// @param cubes that each player begins with
    /// @param ruleset 0 = Near, 1 = Board
    /// @param rate of the streams, in wei or token units a second
    /// @param clock seconds for one turn; 0 = none
    error OtherTerms(uint8 cubes, uint8 ruleset, uint96 rate, uint24 clock);
    /// @notice Nobody has joined yet.
    error NotStarted(uint48 matchId);
    /// @notice Squares are (1, 1) to (7, 7).
    error OffBoard(uint8 x, uint8 y);
    /// @notice There is no cube on this square.
    error EmptySquare(uint8 x, uint8 y);
    /// @notice The cube on this square is the other player's.
    error NotYourCube(uint8 x, uint8 y);
    /// @notice The square is the other player's star square, which nobody else enters.
    error RivalsStar(uint8 x, uint8 y);
    /// @notice A cube was rolled: it is to hop, the one on this square, or its player passes.
    error WrongPhase(uint8 x, uint8 y);
    /// @notice There is a cube on this square.
    error SquareTaken(uint8 x, uint8 y);
    /// @notice A roll goes to one of the four squares beside.
    error NotBeside(uint8 x, uint8 y);
    /// @notice A cube that shows Star after its roll must be on its own star square, and one on that square must show Star.
    /// @param up the face that would be up
    error StarOffSquare(uint8 up, uint8 x, uint8 y);
    /// @notice The face that is up does not hop there.
    error BadHop(uint8 up, uint8 x, uint8 y);
    /// @notice By the rules of the board, who can roll or hop must.
    error MoveRequired(uint48 matchId);
    /// @notice A session key plays, but does not spend: a stake comes from the account itself.
    error KeyCantPay(address key);
    /// @notice Who opened the match is `inviter`.
    error NotTheInviter(uint48 matchId, address account, address inviter);
    /// @notice Nothing (more) has come to the account yet.
    error NothingDue(uint48 matchId, address account);

    /// @notice Opens a match and deposits the stake. Who opens it moves first.
    /// @param opponent who may join; the zero address for anyone
    /// @param cubes that each player begins with, 1..4
    /// @param ruleset 0 = Near, 1 = Board
    /// @param token what to play for, where the stake isn't 0; the zero address for ether
    /// @param stake what each deposits, in wei or token units; 0 = a friendly match
    /// @param rate at which a deposit streams back while the other thinks, in wei or token units a second
    /// @param clock seconds for one turn; 0 = none, in a friendly match only
    /// @param rematchOf the match that it repeats; 0 = none
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

    /// @notice Takes the other seat and deposits the same stake. The caller names the terms it has seen, in the order of
    /// `create`, so that no other match that has got the number meanwhile is joined.
    function join(
        uint48 matchId,
        uint8 cubes,
        uint8 ruleset,
        address token,
        uint96 stake,
        uint96 rate,
        uint24 clock
    ) external payable;

    /// @notice Who opened the match takes it back before anybody has joined.
    function cancel(uint48 matchId) external;

    /// @notice Rolls a cube, or hops with the one that was rolled.
    function makeMove(uint48 matchId, uint32 ply, uint8 fromX, uint8 fromY, uint8 toX, uint8 toY) external;

    /// @notice Lets the roll, or the hop, go by: the other player rolls. By the rules of the board only where nothing can be rolled.
    function passMove(uint48 matchId, uint32 ply) external;

    /// @notice Gives the match up: the other player wins.
    function resign(uint48 matchId) external;

    /// @notice Pays the caller what has come to it so far: what has streamed back, at the end also what it has won.
    function withdraw(uint48 matchId) external;

    /// @notice The whole match, for comparing a shown board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice The position: phase, seat of the player to move (at the end: of the winner), and the cubes.
    function gameState(uint48 matchId) external view returns (Phase phase, uint8 activePlayer, Cube[] memory cubes);

    /// @notice The cube on a square. Reverts with EmptySquare and OffBoard.
    /// @return seat its owner's
    /// @return cube the faces of which the net shows
    /// @return net the cube unfolded as a player reads it, four rows: front; left up right; back; down
    function cubeState(
        uint48 matchId,
        uint8 x,
        uint8 y
    ) external view returns (uint8 seat, Cube memory cube, string memory net);

    /// @notice The stakes, in wei or token units. Arrays are by seat.
    /// @return players as in BoardView
    /// @return token the zero address for ether
    /// @return rate of each stream, a second
    /// @return deposits of those who have deposited
    /// @return due what each can withdraw now
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

    /// @notice How much of each player's deposit has streamed back to it so far, to the second of the newest block.
    function streamed(uint48 matchId) external view returns (uint256[2] memory amounts);
}
