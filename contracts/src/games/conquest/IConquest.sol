// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "../../ITurnBased.sol";

/// @title Conquest: two to six players on a map of up to 96 lands
/// @notice Seats are 0..5 and 255 is nobody. A set of lands is a uint96, bit i = land i. Phases: 0 Reinforcement, 1 Action,
/// 2 Move, 3 capitals are being chosen. Draws that wait for a block: 0 none, 1 who is first, 2 what a turn brings, 3 the
/// luck of attacks, 4 which item was collected. Items: 1 distant attack, 2 attacks at full power, 3 attack and port,
/// 4 two turns, 5 more soldiers, 6 fewer soldiers, 7 a land is lost, 8 the fat one. Commands: 0 capital, 1 reinforce,
/// 2 port, 3 pass, 4 surrender, 5 capture or attack, 6 move, 7 item.
///
/// A command names `ply`, the commands given so far, and `trail`, which tells the same history: a reorg can change luck
/// under the same ply. While a draw is open a command names the trail after it, and carries the draw out as its first step.
interface IConquest is ITurnBased {
    /// @notice An item that lies on a land, for so many turns more.
    struct ItemView {
        uint8 land;
        bool fat;
        uint8 turns;
    }

    /// @notice A whole match. Arrays are by seat, but for `soldiers`, by land, and `items`, by land in ascending order.
    /// Unless the match is being played nobody moves, in no phase (255), and nothing is drawn or used.
    /// @param seats how many there are, 2..6
    /// @param players the zero address where nobody is
    /// @param invited for whom the seat is reserved; the zero address for anyone
    /// @param first the seat that moves first; 255 = not drawn yet
    /// @param mover the seat that is to move; 255 = nobody
    /// @param drawBlock the block of the command that opened the draw; 0 = none
    /// @param used the items that are in force this turn: bit item - 1
    /// @param attacked whether this turn's capture or launch has been
    /// @param built whether this turn's port has been built
    /// @param alive a bit for each seat
    /// @param capitals lands; 255 = none
    /// @param heroes the lands where they stand; 255 = none
    /// @param hadHero a bit for each seat that has, or had, its hero
    /// @param stored items, 0..4
    /// @param forced passes in a row for want of time
    /// @param pairs of the attacks that wait for their luck: from, to; or the one land of an item that waits for its kind
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

    /// @notice What the match is played on. The graph: lands, bodies of water (1 byte each); then 12 bytes each for every
    /// land's neighbours, every body's shores, three bit planes of the types (1 desert, 2 forest, 3 mountain, 4 coastal,
    /// 5 meadow) and the forts; then every land's soldiers, 1 byte.
    /// @param seed from which the map is said to be made; who joins makes it again and compares
    /// @param grain mean cells of a land, 48..200
    event Map(uint48 indexed matchId, uint32 seq, bytes32 seed, uint8 grain, uint8 players, bytes graph);
    /// @notice Seats 1, 2, … are reserved; the zero address for anyone.
    event Invited(uint48 indexed matchId, uint32 seq, address[] accounts);
    /// @notice A player has left an open match. The reservation of its seat stays.
    event PlayerLeft(uint48 indexed matchId, uint32 seq, address indexed player, uint8 seat);
    /// @notice A command was given.
    /// @param ply its number, from 0 on
    /// @param data land; pass: 0 turn, 1 phase, 2 forced; (from, to)*; from, to, quarters, hero
    /// @param trail of the match after it
    event Commanded(uint48 indexed matchId, uint32 seq, uint32 ply, uint8 kind, uint8 seat, bytes data, uint32 trail);
    /// @notice Who is to move in which phase, and what has to be drawn before.
    event Phase(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 phase, uint8 draw);
    /// @notice A draw was carried out.
    /// @param entropyBlock the one whose hash is the seed
    /// @param seed 0 = nobody remembers the hash any more
    /// @param trail of the match after it
    event Drawn(uint48 indexed matchId, uint32 seq, uint8 kind, uint40 entropyBlock, bytes32 seed, uint32 trail);
    /// @notice One attack of a launch. Luck 0: it was not possible any more.
    /// @param attack20 strength, in twentieths of a soldier
    /// @param needed20 what it had to exceed: the defence, as often as attacks share the strength, twice by sea
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
    /// @notice Lands have other numbers of soldiers now.
    /// @param changes 4 bytes each, in ascending order: land 1, soldiers 3
    event Soldiers(uint48 indexed matchId, uint32 seq, bytes changes);
    /// @notice Lands changed hands, with their soldiers.
    /// @param from seat; 255 = nobody
    /// @param to seat; 255 = nobody
    event LandsTaken(uint48 indexed matchId, uint32 seq, uint96 lands, uint8 from, uint8 to);
    /// @notice A land has a port for the rest of the match.
    event PortBuilt(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A hero has come, or gone to another land.
    event HeroAt(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice A hero died with the land on which it stood: all soldiers of its seat are halved.
    event HeroDied(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice An item lies on a land.
    event ItemAppeared(uint48 indexed matchId, uint32 seq, uint8 land, bool fat);
    /// @notice Nobody has taken it for four turns.
    event ItemExpired(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A seat got an item; 0: nothing, since the block that decided is forgotten.
    event ItemCollected(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land, uint8 item);
    /// @notice An item is in force until the turn ends.
    event ItemUsed(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 item);
    /// @notice A seat is out: its capital was captured (Won), it gave up (Resigned), or slept (Timeout).
    /// @param by the seat that captured the capital; 255 = none
    event PlayerOut(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 by, Reason reason);

    /// @notice There are so many seats; the creator's needs no invitation.
    error BadPlayers(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The graph is none: 1 length, 2 lands, 3 bodies of water, 4 a bit beyond the lands (place: the row), 5 a border
    /// with itself, 6 a border of one side (place: land), 7 an empty body (place: body), 8 type, 9 soldiers, 10 out of
    /// reach (place: land).
    error BadMap(uint8 fault, uint256 place);
    /// @notice A land has a mean of so many cells.
    error BadGrain(uint8 given, uint8 minimum, uint8 maximum);
    /// @notice The match has taken another course than the one that the command was given for.
    error OtherPosition(uint32 current, uint32 given);
    /// @notice The draw waits for a block: possible from block `needed` on.
    error TooSoon(uint256 current, uint256 needed);
    /// @notice The command belongs to another phase; 255: to any phase of a turn.
    error WrongPhase(uint8 current, uint8 needed);
    /// @notice The map has so many lands, from 0 on.
    error NoSuchLand(uint256 land, uint256 lands);
    /// @notice The land is another seat's, or nobody's (255).
    error NotYourLand(uint8 land, uint8 owner);
    /// @notice The land is a seat's.
    error NotNeutral(uint8 land, uint8 owner);
    /// @notice The land is one's own, or nobody's (255).
    error NotEnemy(uint8 land, uint8 owner);
    /// @notice No border leads there, and no port.
    error NotConnected(uint8 from, uint8 to);
    /// @notice An attack must be stronger than the defence.
    /// @param index of the pair, from 0 on
    error NotStronger(uint256 index, uint256 attack20, uint256 needed20);
    /// @notice The land touches no water.
    error NoWater(uint8 land);
    /// @notice The land has a port.
    error PortThere(uint8 land);
    /// @notice Attack and port: one of each kind (5, 2) in a turn.
    error OncePerTurn(uint8 kind);
    /// @notice So many attacks are launched together, in two bytes each.
    error BadCount(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice One to four quarters of the soldiers move.
    error BadRatio(uint8 quarters);
    /// @notice The hero does not stand there.
    error NoHero(uint8 land);
    /// @notice No soldier would move, and no hero.
    error NothingToMove(uint8 land);
    /// @notice No item is stored.
    error NoItem();
    /// @notice No draw is open.
    error NothingToSettle();

    /// @notice Opens a match and takes seat 0.
    /// @param seed from which the map is made
    /// @param grain mean cells of a land, 48..200
    /// @param players how many seats, 2..6
    /// @param invited for whom seats 1, 2, … are reserved; the zero address, or none, for anyone
    /// @param clock seconds for a command, 60 s to 30 days
    /// @param rematchOf the match that it repeats; 0 = none
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

    /// @notice Takes the seat that is reserved for the caller, else the first free one; the last one starts the match.
    function join(uint48 matchId) external;

    /// @notice Leaves a match that has not started. Its creator's leaving cancels it.
    function leave(uint48 matchId) external;

    /// @notice Chooses a neutral land as capital.
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Three soldiers for each own land come to this one.
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Builds a port on an own land that touches water.
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Ends the turn, or (phaseOnly) the phase Action.
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external;

    /// @notice Gives up, in the own turn.
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Puts the stored item in force for the rest of the turn.
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Takes a neutral land with its soldiers.
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external;

    /// @notice Launches 1 to 16 attacks: two bytes each, from an own land to an enemy's.
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external;

    /// @notice Moves quarters of a land's soldiers, rounded down and no more than fit (99,999), and ends the turn.
    /// @param hero whether the hero goes with them
    function move(
        uint48 matchId,
        uint32 ply,
        uint32 trail,
        uint8 from,
        uint8 to,
        uint8 quarters,
        bool hero
    ) external;

    /// @notice Carries the open draw out. Anyone may call it, from the second block after the draw was opened on.
    function settle(uint48 matchId) external;

    /// @notice Once the clock of who is to move has run out: ends its turn. At the third time in a row, or when it should
    /// choose its capital, it is out. Anyone may call it.
    function claimTimeout(uint48 matchId) external;

    /// @notice The whole match, for comparing a shown board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice The match's map, as in the event Map.
    function mapOf(uint48 matchId) external view returns (bytes memory graph);

    /// @notice How one gets from a land to another: 0 not at all, 1 by water from its port, 2 by land.
    function connection(uint48 matchId, uint8 from, uint8 to) external view returns (uint8);

    /// @notice The strength of a land in attack, and of another in defence, in twentieths of a soldier. Nobody's lands do
    /// not support each other.
    function powers(
        uint48 matchId,
        uint8 from,
        uint8 to
    ) external view returns (uint256 attack20, uint256 defence20);
}
