// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "../../ITurnBased.sol";

/// @title Conquest: two to six players fight for a map of up to 96 lands
/// @notice Seats are numbered 0..5; 255 means nobody. A set of lands is a uint96: bit i is land i.
/// Phases: 0 reinforcement, 1 action, 2 move, 3 choice of capitals. Random draws, decided by a
/// later block: 0 none, 1 the first player, 2 the events of a turn, 3 the luck of attacks, 4 the
/// type of a collected item. Items: 1 distant attack, 2 attacks at full power, 3 attack and port, 4
/// two turns, 5 more soldiers, 6 fewer soldiers, 7 a lost land, 8 the fat bonus. Commands: 0
/// capital, 1 reinforcement, 2 port, 3 pass, 4 surrender, 5 capture or attack, 6 move, 7 item.
///
/// Each command names its `ply`, which is the number of earlier commands, and the `trail`, which is
/// a hash of the match's history. The trail is necessary because a reorg can change luck or an
/// earlier command, but not the ply. A command first carries out the open draw, and must name the
/// trail after this draw.
interface IConquest is ITurnBased {
    /// @notice An item on a land. It stays for `turns` turns, including the current turn. `fat` is
    /// true for the fat bonus.
    struct ItemView {
        uint8 land;
        bool fat;
        uint8 turns;
    }

    /// @notice The complete state of a match. Arrays are indexed by seat, except `soldiers` (by
    /// land) and `items` (sorted by land). Unless the match is in progress, `mover` and `phase` are
    /// 255, no draw is open and no item is in effect.
    /// @param seats the number of seats, 2..6
    /// @param players the players; the zero address means that nobody has taken the seat
    /// @param invited the accounts for which seats are reserved; the zero address means anyone
    /// @param first the seat that moves first, or 255 if this seat has not been drawn yet
    /// @param mover the seat to move, or 255 if there is none
    /// @param drawBlock the block in which the open draw was opened, or 0 if no draw is open
    /// @param used the items that are in effect this turn: bit i is item i + 1
    /// @param attacked true if the mover has captured a land or launched attacks this turn
    /// @param built true if the mover has built a port this turn
    /// @param alive the seats that are still in the match or, in an open match, are taken: bit i is
    /// seat i
    /// @param capitals the capitals; 255 means that the seat has none
    /// @param heroes the lands where the heroes stand; 255 means that the seat has no hero
    /// @param hadHero the seats that have or had their hero: bit i is seat i
    /// @param stored the stored items, 1..4; 0 means none
    /// @param forced the numbers of passes in a row that were forced because a clock had run out
    /// @param pairs the lands (from, to) of each attack while the draw of luck is open, or the land
    /// of the collected item while the draw of its type is open
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

    /// @notice Emitted when a match is opened, with its map. The graph consists of the numbers of
    /// lands and of bodies of water (1 byte each), rows of 12 bytes, and the soldiers on each land
    /// (1 byte each). Each row is a set of lands: the neighbours of each land, the shores of each
    /// body, three bit planes of the land types (1 desert, 2 forest, 3 mountain, 4 coastal, 5
    /// meadow), and the forts.
    /// @param seed the seed of the map, according to the creator; before joining, players should
    /// generate the map from the seed and compare
    /// @param grain the mean number of cells per land, 48..200
    event Map(uint48 indexed matchId, uint32 seq, bytes32 seed, uint8 grain, uint8 players, bytes graph);
    /// @notice Emitted when seats are reserved. `accounts` are the accounts for seats 1, 2, …; the
    /// zero address means that anyone may take the seat.
    event Invited(uint48 indexed matchId, uint32 seq, address[] accounts);
    /// @notice Emitted when a player leaves an open match. If the seat was reserved for the player,
    /// it stays reserved.
    event PlayerLeft(uint48 indexed matchId, uint32 seq, address indexed player, uint8 seat);
    /// @notice Emitted when a player gives a command, or a pass is forced.
    /// @param ply the number of the command, starting with 0
    /// @param data for commands 0 to 2, the land; for 3, what the pass ends (0 the turn, 1 the
    /// phase, 2 the turn after a timeout); for 5, the lands (from, to) of each attack; for 6, from,
    /// to, quarters, hero
    /// @param trail the match's trail after the command
    event Commanded(uint48 indexed matchId, uint32 seq, uint32 ply, uint8 kind, uint8 seat, bytes data, uint32 trail);
    /// @notice Emitted when the seat to move, its phase or the open random draw changes. `draw` is
    /// the draw that has to be carried out before the next command.
    event Phase(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 phase, uint8 draw);
    /// @notice Emitted when a random draw is carried out.
    /// @param entropyBlock the block whose hash is the seed
    /// @param seed the hash of that block, or 0 if it is no longer available
    /// @param trail the match's trail after the draw
    event Drawn(uint48 indexed matchId, uint32 seq, uint8 kind, uint40 entropyBlock, bytes32 seed, uint32 trail);
    /// @notice Emitted for each launched attack when it is resolved. `luck` is 0 if the attack was
    /// no longer possible.
    /// @param attack20 the strength of the attack, in twentieths of a soldier
    /// @param needed20 the strength that the attack must exceed: the defence, multiplied by the
    /// number of attacks that share the strength, and doubled for an attack by sea
    /// @param luck the luck of the attack in percent, 80..120
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
    /// @notice Emitted when the numbers of soldiers on lands change.
    /// @param changes 4 bytes per changed land, in order: 1 for the land, 3 for its soldiers
    event Soldiers(uint48 indexed matchId, uint32 seq, bytes changes);
    /// @notice Emitted when lands change hands, with their soldiers.
    /// @param from the seat that loses the lands; 255 means nobody
    /// @param to the seat that gets the lands; 255 means nobody
    event LandsTaken(uint48 indexed matchId, uint32 seq, uint96 lands, uint8 from, uint8 to);
    /// @notice Emitted when a port is built on a land. It stays for the rest of the match.
    event PortBuilt(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice Emitted when a hero appears or moves to another land.
    event HeroAt(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice Emitted when a seat loses the land where its hero stands, so that the hero dies. The
    /// soldiers on all lands of the seat are halved.
    event HeroDied(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land);
    /// @notice Emitted when an item appears on a land. `fat` is true for the fat bonus.
    event ItemAppeared(uint48 indexed matchId, uint32 seq, uint8 land, bool fat);
    /// @notice Emitted when an item disappears because nobody has collected it for four turns.
    event ItemExpired(uint48 indexed matchId, uint32 seq, uint8 land);
    /// @notice Emitted when a seat gets an item. `item` is 0 if the seat gets nothing because the
    /// hash of the deciding block is no longer available.
    event ItemCollected(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 land, uint8 item);
    /// @notice Emitted when a seat uses its stored item, which stays in effect until the turn ends.
    event ItemUsed(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 item);
    /// @notice Emitted when a seat is out of the match. The reason is Won if its capital was
    /// captured, Resigned if it surrendered, and Timeout if its time ran out.
    /// @param by the seat that captured the capital, or 255 if no seat captured it
    event PlayerOut(uint48 indexed matchId, uint32 seq, uint8 seat, uint8 by, Reason reason);

    /// @notice The number of seats or of invitations is out of range. Every seat except the
    /// creator's can have an invitation.
    error BadPlayers(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The graph is invalid. For faults 1 (bytes), 2 (lands) and 3 (bodies of water),
    /// `place` is the rejected number. For fault 4 (a bit beyond the lands), it is the row. For
    /// faults 5 (a land that borders itself), 6 (a one-sided border), 8 (a type), 9 (too many
    /// soldiers) and 10 (a land that can't be reached), it is the land. For fault 7 (no shores), it
    /// is the body of water.
    error BadMap(uint8 fault, uint256 place);
    /// @notice The mean number of cells per land is not between `minimum` and `maximum`.
    error BadGrain(uint8 given, uint8 minimum, uint8 maximum);
    /// @notice The command names a trail that is not the match's current trail.
    error OtherPosition(uint32 current, uint32 given);
    /// @notice The random draw needs a later block. It can be carried out from block `needed` on.
    error TooSoon(uint256 current, uint256 needed);
    /// @notice The match is in the phase `current`, but the command is possible only in the phase
    /// `needed`, where 255 means any phase of a turn.
    error WrongPhase(uint8 current, uint8 needed);
    /// @notice The land doesn't exist. The map has `lands` lands, and their numbers start with 0.
    error NoSuchLand(uint256 land, uint256 lands);
    /// @notice The land belongs to another seat, or to nobody (`owner` is 255).
    error NotYourLand(uint8 land, uint8 owner);
    /// @notice The land is not neutral, because it belongs to a seat.
    error NotNeutral(uint8 land, uint8 owner);
    /// @notice The land doesn't belong to an enemy. It belongs to the caller or to nobody (`owner`
    /// is 255).
    error NotEnemy(uint8 land, uint8 owner);
    /// @notice Neither a border nor a port connects the first land to the second.
    error NotConnected(uint8 from, uint8 to);
    /// @notice The attack is not stronger than the defence. Strengths are in twentieths of a
    /// soldier.
    /// @param index the index of the attack in the launch, starting with 0
    error NotStronger(uint256 index, uint256 attack20, uint256 needed20);
    /// @notice The land doesn't touch water, so it can't have a port.
    error NoWater(uint8 land);
    /// @notice The land already has a port.
    error PortThere(uint8 land);
    /// @notice The mover has already launched attacks or captured a land this turn (`kind` is 5),
    /// or has already built a port (`kind` is 2).
    error OncePerTurn(uint8 kind);
    /// @notice The number of attacks is out of range, or `pairs` has an odd number of bytes.
    error BadCount(uint256 given, uint256 minimum, uint256 maximum);
    /// @notice The number of quarters of the soldiers is not between 1 and 4.
    error BadRatio(uint8 quarters);
    /// @notice The caller's hero doesn't stand on this land.
    error NoHero(uint8 land);
    /// @notice The command would move neither soldiers nor the hero.
    error NothingToMove(uint8 land);
    /// @notice The player has no stored item.
    error NoItem();
    /// @notice There is no open random draw that could be carried out.
    error NothingToSettle();

    /// @notice Opens a match. The caller takes seat 0.
    /// @param seed the seed from which the map was generated
    /// @param grain the mean number of cells per land, 48..200
    /// @param players the number of seats, 2..6
    /// @param invited the accounts for which seats 1, 2, … are reserved; the zero address or a
    /// missing entry means anyone
    /// @param clock the seconds for one command, from 60 seconds to 30 days
    /// @param rematchOf the match that this match repeats, or 0 if it is not a rematch
    /// @param graph the map as bytes, in the format of the event Map
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
    /// match starts when all seats are taken.
    function join(uint48 matchId) external;

    /// @notice Leaves a match that has not started yet. If the creator leaves, the match is
    /// cancelled.
    function leave(uint48 matchId) external;

    /// @notice Chooses a neutral land as the caller's capital.
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Reinforces a land of the caller with three soldiers for each land that the caller
    /// owns.
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Builds a port on a land of the caller that touches water.
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external;

    /// @notice Passes. This ends the caller's turn or, if `phaseOnly`, only the action phase.
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external;

    /// @notice Surrenders. This is possible only when it is the caller's turn.
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Uses the caller's stored item. It stays in effect until the turn ends.
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external;

    /// @notice Captures a neutral land and its soldiers.
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external;

    /// @notice Launches 1 to 16 attacks on enemies' lands. `pairs` contains two bytes per attack:
    /// the caller's land that attacks, and its target.
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external;

    /// @notice Moves one to four quarters of a land's soldiers to another land and ends the turn.
    /// The number of soldiers is rounded down, and a land can't hold more than 99,999.
    /// @param hero true if the hero moves with the soldiers
    function move(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to, uint8 quarters, bool hero) external;

    /// @notice Carries out the open random draw. Anyone may call this function, from the second
    /// block after the one in which the draw was opened.
    function settle(uint48 matchId) external;

    /// @notice Forces a pass after the mover's clock has run out. The mover is out after three
    /// forced passes in a row, or after one during the choice of capitals. Anyone may call this
    /// function.
    function claimTimeout(uint48 matchId) external;

    /// @notice Returns the complete state of a match, for example to check a displayed board.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the graph of a match's map, in the format of the event Map.
    function mapOf(uint48 matchId) external view returns (bytes memory graph);

    /// @notice Returns the connection from one land to another: 0 none, 1 by water from a port on
    /// the first land, 2 by land.
    function connection(uint48 matchId, uint8 from, uint8 to) external view returns (uint8);

    /// @notice Returns the attack strength of one land and the defence strength of the other, in
    /// twentieths of a soldier. Neutral lands don't support each other.
    function powers(uint48 matchId, uint8 from, uint8 to) external view returns (uint256 attack20, uint256 defence20);
}
