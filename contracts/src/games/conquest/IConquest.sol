// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "../../ITurnBased.sol";

/// @title Conquest: two to six players on a map of up to 96 lands
/// @notice Seats are 0..5; 255 is nobody. A set of lands is a uint96, bit i = land i. Phases: 0
/// Reinforcement, 1 Action, 2 Move, 3 choice of capitals. Draws that wait for a block: 0 none, 1
/// the first player, 2 a turn's events, 3 the luck of attacks, 4 the item that was collected.
/// Items: 1 distant attack, 2 attacks at full power, 3 attack and port, 4 two turns, 5 more
/// soldiers, 6 fewer soldiers, 7 a lost land, 8 the fat bonus. Commands: 0 capital, 1 reinforce, 2
/// port, 3 pass, 4 surrender, 5 capture or attack, 6 move, 7 item.
///
/// A command names `ply`, the number of earlier commands, and `trail`, a hash of the history: a
/// reorg can change luck under the same ply. While a draw is open, a command names the trail after
/// the draw, and first carries out the draw.
interface IConquest is ITurnBased {
    /// @notice An item on a land, and the number of turns that it stays.
    struct ItemView {
        uint8 land;
        bool fat;
        uint8 turns;
    }

    /// @notice A whole match. Arrays are by seat, except `soldiers` (by land) and `items` (by land
    /// in ascending order). Unless the match is being played, mover and phase are 255, and no draw
    /// is open and no item in use.
    /// @param seats the number of seats, 2..6
    /// @param players the zero address for an empty seat
    /// @param invited the account that the seat is reserved for; the zero address for anyone
    /// @param first the seat that moves first; 255 = not drawn yet
    /// @param mover the seat to move; 255 = nobody
    /// @param drawBlock the block of the command that opened the draw; 0 = none
    /// @param used the items in effect this turn: bit item - 1
    /// @param attacked true after this turn's capture or launch
    /// @param built true after this turn's port
    /// @param alive one bit per seat
    /// @param capitals lands; 255 = none
    /// @param heroes the lands where the heroes stand; 255 = none
    /// @param hadHero one bit per seat that has or had its hero
    /// @param stored items, 0..4
    /// @param forced passes in a row because time ran out
    /// @param pairs (from, to) of the attacks that wait for their luck, or the land of an item that
    /// waits for its kind
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint32 trail;
        uint24 clock;
        uint40 deadline;
        uint8 seats;
        address[] players;
        address[] invited;
        uint8 first;
        uint8 mover;
        uint8 phase;
        uint8 draw;
        uint40 drawBlock;
        uint8 used;
        bool attacked;
        bool built;
        uint8 alive;
        uint8[] capitals;
        uint8[] heroes;
        uint8 hadHero;
        uint8[] stored;
        uint8[] forced;
        uint96[] owned;
        uint96 ports;
        uint32[] soldiers;
        ItemView[] items;
        bytes pairs;
    }

    /// @notice The map of the match. The graph holds: lands, bodies of water (1 byte each); then 12
    /// bytes each for every land's neighbours, every body's shores, three bit planes of the types
    /// (1 desert, 2 forest, 3 mountain, 4 coastal, 5 meadow) and the forts; then every land's
    /// soldiers, 1 byte.
    /// @param seed the claimed seed of the map; a player who joins generates the map and compares
    /// @param grain mean cells per land, 48..200
    event Map(uint48 indexed matchId, uint32 seq, bytes32 seed, uint8 grain, uint8 players, bytes graph);
    /// @notice Seats 1, 2, … are reserved; the zero address for anyone.
    event Invited(uint48 indexed matchId, uint32 seq, address[] accounts);
    /// @notice A player left an open match. The reservation of its seat stays.
    event PlayerLeft(uint48 indexed matchId, uint32 seq, address indexed player, uint8 seat);
    /// @notice A player gave a command.
    /// @param ply its number, from 0 on
    /// @param data land; pass: 0 turn, 1 phase, 2 forced; (from, to)*; from, to, quarters, hero
    /// @param trail the trail after the command
    event Commanded(uint48 indexed matchId, uint32 seq, uint32 ply, uint8 kind, uint8 seat, bytes data, uint32 trail);
    /// @notice The seat to move, its phase, and the draw that comes first.
    event Phase(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 phase, uint8 draw);
    /// @notice A draw was carried out.
    /// @param entropyBlock the block whose hash is the seed
    /// @param seed 0 if the hash is no longer available
    /// @param trail the trail after the draw
    event Drawn(uint48 indexed matchId, uint32 seq, uint8 kind, uint40 entropyBlock, bytes32 seed, uint32 trail);
    /// @notice One attack of a launch. Luck 0: the attack was no longer possible.
    /// @param attack20 strength, in twentieths of a soldier
    /// @param needed20 the strength to exceed: the defence times the number of attacks that share
    /// the strength, doubled by sea
    /// @param luck percent, 80..120
    event BattleResolved(
        uint48 indexed matchId,
        uint32 seq,
        uint8 from,
        uint8 to,
        uint48 attack20,
        uint48 needed20,
        uint8 luck,
        uint32 damage,
        bool conquered
    );
    /// @notice The numbers of soldiers on lands have changed.
    /// @param changes 4 bytes each, by land in ascending order: land 1, soldiers 3
    event Soldiers(uint48 indexed matchId, uint32 seq, bytes changes);
    /// @notice Lands changed hands, with their soldiers.
    /// @param from seat; 255 = nobody
    /// @param to seat; 255 = nobody
    event LandsTaken(uint48 indexed matchId, uint32 seq, uint96 lands, uint8 from, uint8 to);
    /// @notice A land has a port, for the rest of the match.
    event PortBuilt(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A hero appeared, or moved to another land.
    event HeroAt(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice A hero died because its land was lost. The soldiers on all lands of its seat are
    /// halved.
    event HeroDied(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice An item lies on a land.
    event ItemAppeared(uint48 indexed matchId, uint32 seq, uint8 land, bool fat);
    /// @notice Nobody took the item for four turns.
    event ItemExpired(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A seat got an item. 0 = nothing, because the hash of the deciding block is no longer
    /// available.
    event ItemCollected(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land, uint8 item);
    /// @notice An item is in effect until the turn ends.
    event ItemUsed(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 item);
    /// @notice A seat is out: its capital was captured (Won), it gave up (Resigned), or its time
    /// ran out (Timeout).
    /// @param by the seat that captured the capital; 255 = none
    event PlayerOut(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 by, Reason reason);

    /// @notice The number of seats, or of invitations, is out of range; the creator needs no
    /// invitation.
    error BadPlayers(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The graph is not valid: 1 length, 2 lands, 3 bodies of water, 4 a bit beyond the
    /// lands (place: the row), 5 a land that borders itself, 6 a one-sided border (place: land), 7
    /// an empty body (place: body), 8 type, 9 soldiers, 10 out of reach (place: land).
    error BadMap(uint8 fault, uint256 place);
    /// @notice The mean number of cells per land is out of range.
    error BadGrain(uint8 given, uint8 minimum, uint8 maximum);
    /// @notice The command names another trail than the match has.
    error OtherPosition(uint32 current, uint32 given);
    /// @notice The draw waits for a block; it is possible from block `needed` on.
    error TooSoon(uint256 current, uint256 needed);
    /// @notice The command belongs to another phase. 255 = any phase of a turn.
    error WrongPhase(uint8 current, uint8 needed);
    /// @notice The map has `lands` lands, counted from 0.
    error NoSuchLand(uint256 land, uint256 lands);
    /// @notice The land belongs to another seat, or to nobody (255).
    error NotYourLand(uint8 land, uint8 owner);
    /// @notice The land belongs to a seat.
    error NotNeutral(uint8 land, uint8 owner);
    /// @notice The land is your own, or neutral (255).
    error NotEnemy(uint8 land, uint8 owner);
    /// @notice No border and no port leads there.
    error NotConnected(uint8 from, uint8 to);
    /// @notice An attack must be stronger than the defence.
    /// @param index the pair, counted from 0
    error NotStronger(uint256 index, uint256 attack20, uint256 needed20);
    /// @notice The land touches no water.
    error NoWater(uint8 land);
    /// @notice The land already has a port.
    error PortThere(uint8 land);
    /// @notice A turn allows one attack (5) and one port (2).
    error OncePerTurn(uint8 kind);
    /// @notice The number of attacks in one launch (two bytes each) is out of range.
    error BadCount(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice One to four quarters of the soldiers can move.
    error BadRatio(uint8 quarters);
    /// @notice The hero does not stand on this land.
    error NoHero(uint8 land);
    /// @notice Neither soldiers nor the hero would move.
    error NothingToMove(uint8 land);
    /// @notice The player has no stored item.
    error NoItem();
    /// @notice No draw is open.
    error NothingToSettle();

    /// @notice Opens a match and takes seat 0.
    /// @param seed the seed of the map
    /// @param grain mean cells per land, 48..200
    /// @param players the number of seats, 2..6
    /// @param invited the accounts that seats 1, 2, … are reserved for; the zero address, or no
    /// entry, for anyone
    /// @param clock seconds per command, 60 s to 30 days
    /// @param rematchOf the match that this match repeats; 0 = none
    /// @param graph as in the event Map
    function create(
        bytes32 seed,
        uint8 grain,
        uint8 players,
        address[] calldata invited,
        uint24 clock,
        uint48 rematchOf,
        bytes calldata graph
    ) external returns (uint48 matchId);

    /// @notice Takes the seat reserved for the caller, otherwise the first free seat. The last
    /// player to join starts the match.
    function join(uint48 matchId) external;

    /// @notice Leaves a match that has not started. If the creator leaves, the match is cancelled.
    function leave(uint48 matchId) external;

    /// @notice Chooses a neutral land as capital.
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Adds three soldiers per own land to this land.
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Builds a port on an own land that touches water.
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Passes: ends the turn, or only the phase Action if `phaseOnly`.
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external;

    /// @notice Surrenders. Possible only in the caller's own turn.
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Uses the stored item. It stays in effect for the rest of the turn.
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Captures a neutral land with its soldiers.
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external;

    /// @notice Launches 1 to 16 attacks, each from an own land to an enemy's land (two bytes each).
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external;

    /// @notice Moves quarters of a land's soldiers and ends the turn. The number is rounded down; a
    /// land holds at most 99,999 soldiers.
    /// @param hero true if the hero moves too
    function move(
        uint48 matchId,
        uint32 ply,
        uint32 trail,
        uint8 from,
        uint8 to,
        uint8 quarters,
        bool hero
    ) external;

    /// @notice Carries out the open draw. Anyone may call it, from the second block after the draw
    /// was opened on.
    function settle(uint48 matchId) external;

    /// @notice Forces a pass after the mover's clock has run out. A seat is out after its third
    /// forced pass in a row, or if it was its turn to choose a capital. Anyone may call it.
    function claimTimeout(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the match's map, as in the event Map.
    function mapOf(uint48 matchId) external view returns (bytes memory graph);

    /// @notice Returns the connection from one land to another: 0 none, 1 by water from its port, 2
    /// by land.
    function connection(uint48 matchId, uint8 from, uint8 to) external view returns (uint8);

    /// @notice Returns the strength of one land in attack and of another in defence, in twentieths
    /// of a soldier. Neutral lands don't support each other.
    function powers(
        uint48 matchId,
        uint8 from,
        uint8 to
    ) external view returns (uint256 attack20, uint256 defence20);
}
