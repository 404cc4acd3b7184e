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
/// A command names `ply`, the number of earlier commands, and `trail`, a hash of the history. The
/// ply is not enough, because a reorg can change the luck without changing the ply. While a draw is
/// open, a command names the trail after the draw. The command carries out the draw first.
interface IConquest is ITurnBased {
    /// @notice An item that lies on a land, and the number of turns that it stays there.
    struct ItemView {
        uint8 land;
        bool fat;
        uint8 turns;
    }

    /// @notice A whole match. Arrays are by seat, except `soldiers` (by land) and `items` (by land
    /// in ascending order). Unless the match is being played, `mover` and `phase` are 255, no draw
    /// is open, and no item is in effect.
    /// @param seats the number of seats, 2..6
    /// @param players the players' accounts; the zero address for an empty seat
    /// @param invited the accounts that the seats are reserved for; the zero address for anyone
    /// @param first the seat that moves first; 255 until it is drawn
    /// @param mover the seat to move; 255 = nobody
    /// @param drawBlock the block of the command that opened the draw; 0 = none
    /// @param used the items in effect this turn: bit item - 1
    /// @param attacked true after this turn's capture or launch
    /// @param built true after this turn's port
    /// @param alive the seats that are still in the match (in an open match, the taken seats), one
    /// bit per seat
    /// @param capitals the lands that are the seats' capitals; 255 = none
    /// @param heroes the lands where the heroes stand; 255 = none
    /// @param hadHero the seats that have had their hero, one bit per seat
    /// @param stored the seats' stored items, 1..4; 0 = none
    /// @param forced the number of passes in a row that were forced because the seat's time ran out
    /// @param pairs the lands (from, to) of the attacks whose luck isn't drawn yet, or the land of
    /// an item whose kind isn't drawn yet
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

    /// @notice The map of the match. The graph begins with the numbers of lands and of bodies of
    /// water, 1 byte each. Sets of lands follow, 12 bytes each: every land's neighbours, every
    /// body's shores, three bit planes of the types (1 desert, 2 forest, 3 mountain, 4 coastal, 5
    /// meadow), and the forts. At the end are every land's soldiers, 1 byte each.
    /// @param seed the seed from which the creator claims to have made the map. Before joining, a
    /// player's program generates the map from the seed and compares the two
    /// @param grain the mean number of cells per land, 48..200
    event Map(uint48 indexed matchId, uint32 seq, bytes32 seed, uint8 grain, uint8 players, bytes graph);
    /// @notice Seats 1, 2, … are reserved for these accounts. A seat with the zero address is free
    /// for anyone.
    event Invited(uint48 indexed matchId, uint32 seq, address[] accounts);
    /// @notice A player left an open match. If the player's seat is reserved, it stays reserved.
    event PlayerLeft(uint48 indexed matchId, uint32 seq, address indexed player, uint8 seat);
    /// @notice A player gave a command.
    /// @param ply the command's number, starting with 0
    /// @param data the command's arguments, 1 byte each; commands 0, 1 and 2: the land; 3: what
    /// ends (0 the turn, 1 the phase) or 2 (forced); 5: (from, to) of each attack; 6: from, to,
    /// quarters, hero
    /// @param trail the trail after the command
    event Commanded(uint48 indexed matchId, uint32 seq, uint32 ply, uint8 kind, uint8 seat, bytes data, uint32 trail);
    /// @notice The match entered another phase. The event names the seat to move, and the draw to
    /// carry out first.
    event Phase(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 phase, uint8 draw);
    /// @notice A random draw was carried out.
    /// @param entropyBlock the block whose hash is the seed
    /// @param seed the hash of that block; 0 if it is no longer available
    /// @param trail the trail after the draw
    event Drawn(uint48 indexed matchId, uint32 seq, uint8 kind, uint40 entropyBlock, bytes32 seed, uint32 trail);
    /// @notice One attack was resolved. `luck` is 0 if the attack was no longer possible.
    /// @param attack20 the strength of the attack, in twentieths of a soldier
    /// @param needed20 the strength that the attack must exceed: the defence, multiplied by the
    /// number of attacks that share the strength, and doubled by sea
    /// @param luck the attack's luck in percent, 80..120
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
    /// @notice The number of soldiers has changed on some lands.
    /// @param changes the changed lands in ascending order, 4 bytes each: the land (1 byte) and its
    /// soldiers (3 bytes)
    event Soldiers(uint48 indexed matchId, uint32 seq, bytes changes);
    /// @notice Lands changed hands, with their soldiers.
    /// @param from the seat that lost the lands; 255 = nobody
    /// @param to the seat that got the lands; 255 = nobody
    event LandsTaken(uint48 indexed matchId, uint32 seq, uint96 lands, uint8 from, uint8 to);
    /// @notice A player built a port on a land. The port stays for the rest of the match.
    event PortBuilt(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A hero appeared, or moved to another land.
    event HeroAt(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice A hero died because its land was lost. The soldiers on all lands of the hero's seat
    /// are halved.
    event HeroDied(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice An item appeared on a land.
    event ItemAppeared(uint48 indexed matchId, uint32 seq, uint8 land, bool fat);
    /// @notice The item on a land is gone, because nobody took it for four turns.
    event ItemExpired(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice A seat got the item on a land. `item` is 0 (nothing) if the hash of the deciding
    /// block is no longer available.
    event ItemCollected(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land, uint8 item);
    /// @notice The player to move used an item, which is in effect until the turn ends.
    event ItemUsed(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 item);
    /// @notice A seat is out: its capital was captured (Won), its player surrendered (Resigned), or
    /// its time ran out (Timeout).
    /// @param by the seat that captured the capital; 255 = none
    event PlayerOut(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 by, Reason reason);

    /// @notice The number of seats or of invitations is out of range. Seat 0 is the creator's, so
    /// it needs no invitation.
    error BadPlayers(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The graph isn't valid. The faults are: 1 the length; 2 the number of lands; 3 the
    /// number of bodies of water; 4 a bit beyond the lands; 5 a land that borders itself; 6 a
    /// one-sided border; 7 a body without shores; 8 a land's type; 9 a land's soldiers; 10 a land
    /// out of reach. `place` is the row (4), the body (7), the land (5, 6, 8, 9, 10) or the wrong
    /// number (1, 2, 3).
    error BadMap(uint8 fault, uint256 place);
    /// @notice The mean number of cells per land is out of range.
    error BadGrain(uint8 given, uint8 minimum, uint8 maximum);
    /// @notice The command names another trail than the match's, so the command is for another
    /// position.
    error OtherPosition(uint32 current, uint32 given);
    /// @notice It is too early for the draw, which is possible from block `needed` on.
    error TooSoon(uint256 current, uint256 needed);
    /// @notice The command belongs to another phase than the current one. 255 is any phase of a
    /// turn, 254 also includes the choice of capitals.
    error WrongPhase(uint8 current, uint8 needed);
    /// @notice There is no such land. The map has `lands` lands, counted from 0.
    error NoSuchLand(uint256 land, uint256 lands);
    /// @notice The land belongs to another seat, or to nobody (255).
    error NotYourLand(uint8 land, uint8 owner);
    /// @notice The land isn't neutral: it belongs to a seat.
    error NotNeutral(uint8 land, uint8 owner);
    /// @notice The land isn't an enemy's: it is your own, or neutral (255).
    error NotEnemy(uint8 land, uint8 owner);
    /// @notice Neither a border nor a port connects the two lands.
    error NotConnected(uint8 from, uint8 to);
    /// @notice An attack must be stronger than the defence.
    /// @param index the attack's position in the launch, counted from 0
    error NotStronger(uint256 index, uint256 attack20, uint256 needed20);
    /// @notice The land touches no water.
    error NoWater(uint8 land);
    /// @notice The land already has a port.
    error PortThere(uint8 land);
    /// @notice The turn's attack or port has been used. A turn allows one attack (5) and one port
    /// (2).
    error OncePerTurn(uint8 kind);
    /// @notice The number of attacks that are launched together is out of range. Each attack has
    /// two bytes.
    error BadCount(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The number of quarters is out of range. One to four quarters of a land's soldiers
    /// can move.
    error BadRatio(uint8 quarters);
    /// @notice The player's hero doesn't stand on this land.
    error NoHero(uint8 land);
    /// @notice The move is empty: neither soldiers nor the hero would move.
    error NothingToMove(uint8 land);
    /// @notice The player has no stored item.
    error NoItem();
    /// @notice No draw is open.
    error NothingToSettle();

    /// @notice Opens a match and takes seat 0.
    /// @param seed the seed of the map
    /// @param grain the mean number of cells per land, 48..200
    /// @param players the number of seats, 2..6
    /// @param invited the accounts that seats 1, 2, … are reserved for; the zero address, or no
    /// entry, for anyone
    /// @param clock seconds per command, 60 s to 30 days
    /// @param rematchOf the match that this match repeats; 0 = none
    /// @param graph the map's graph, as in the event Map
    function create(
        bytes32 seed,
        uint8 grain,
        uint8 players,
        address[] calldata invited,
        uint24 clock,
        uint48 rematchOf,
        bytes calldata graph
    ) external returns (uint48 matchId);

    /// @notice Takes the seat that is reserved for the caller, or else the first free seat. The
    /// last player to join starts the match.
    function join(uint48 matchId) external;

    /// @notice Leaves a match that has not started. If the creator leaves, the match is cancelled.
    function leave(uint48 matchId) external;

    /// @notice Chooses a neutral land as the caller's capital.
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Adds soldiers to one of the caller's lands: three for each land that the caller
    /// owns.
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Builds a port on one of the caller's lands that touches water.
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Passes, which ends the turn, or only the phase Action if `phaseOnly`.
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external;

    /// @notice Surrenders. This is possible only in the caller's own turn.
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Uses the stored item, which stays in effect for the rest of the turn.
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Captures a neutral land and its soldiers.
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external;

    /// @notice Launches 1 to 16 attacks, each from one of the caller's lands to an enemy's land.
    /// Each attack is two bytes: from, to.
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external;

    /// @notice Moves some quarters of a land's soldiers, rounded down, and ends the turn. A land
    /// holds at most 99,999 soldiers.
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

    /// @notice Carries out the open draw. Anyone may call this function from the second block after
    /// the draw was opened.
    function settle(uint48 matchId) external;

    /// @notice Forces a pass after the mover's clock has run out. A seat is out after its third
    /// forced pass in a row, or after a forced pass instead of its choice of a capital. Anyone may
    /// call this function.
    function claimTimeout(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the match's map, as in the event Map.
    function mapOf(uint48 matchId) external view returns (bytes memory graph);

    /// @notice Returns the connection from one land to another: 0 none, 1 by water from a port on
    /// the first land, 2 by land.
    function connection(uint48 matchId, uint8 from, uint8 to) external view returns (uint8);

    /// @notice Returns the strength of land `from` in attack and of land `to` in defence, in
    /// twentieths of a soldier. Neutral lands don't support each other.
    function powers(
        uint48 matchId,
        uint8 from,
        uint8 to
    ) external view returns (uint256 attack20, uint256 defence20);
}
