"""The errors and missing effects of the original Conquest (its sheet), and other defects that this
contract could have."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01 attacks": (
        "one attack a turn",
        [("uint256 internal constant MAX_PAIRS = 16;", "uint256 internal constant MAX_PAIRS = 1;")],
    ),
    "01 a skipped": (
        "a land that was just taken is attacked again",
        [("if (position.ownerOf(from) != seat || strike.victim == seat) strike.victim", "if (position.ownerOf(from) != seat) strike.victim")],
    ),
    "01 an equal": (
        "an attack as strong as the defence is launched",
        [("            if (strike.attack20 <= strike.needed20) {\n                revert", "            if (strike.attack20 < strike.needed20) {\n                revert")],
    ),
    "02 items": ("items never appear", [("_APPEARS_PERCENT = 12;", "_APPEARS_PERCENT = 0;")]),
    "02 an item": (
        "an item lies for ever",
        [("uint256 item = (items & _MASK) - (1 << _TURNS_SHIFT);", "uint256 item = items & _MASK;")],
    ),
    "03 the same": (
        "dice diverge: they are thrown when somebody settles",
        [("seed = Entropy.hashOf(anchor + 1);", "seed = Entropy.hashOf(block.number - 1);")],
    ),
    "03 nobody": (
        "luck is known when an attack is launched",
        [("seed = Entropy.hashOf(anchor + 1);", "seed = Entropy.hashOf(anchor - 1);")],
    ),
    "03 a draw": (
        "a draw may be carried out in the block that decides it",
        [("uint256 private constant _WAIT_BLOCKS = 2;", "uint256 private constant _WAIT_BLOCKS = 1;")],
    ),
    "03 a forgotten": (
        "who waits until the hash is forgotten gets more luck",
        [("            uint256 luck = _MIN_LUCK;\n            if (seed != 0) {", "            uint256 luck = _MIN_LUCK;\n            if (luck != 0) {")],
    ),
    "03 a command": (
        "a command is for any luck",
        [("        if (trail != current) revert OtherPosition(current, trail);\n", "        trail; current;\n")],
    ),
    "04 a distant attack": (
        "the distant attack has no effect",
        [("        if (strike.distant && (!distant ||", "        if (strike.distant && (distant || !distant ||")],
    ),
    "04 an attack": (
        "attacks go anywhere",
        [("        bool distant = state.game.isInEffect(1);\n        for (uint256 index; index < count; ++index) {", "        bool distant = true;\n        for (uint256 index; index < count; ++index) {")],
    ),
    "04 a capture": (
        "captures go anywhere",
        [("        if (!state.game.isInEffect(1) && position.connectionOf(from, to) == Positions.NO_CONNECTION) {", "        if (from == to && position.connectionOf(from, to) == Positions.NO_CONNECTION) {")],
    ),
    "04 a capital": (
        "the distant attack takes capitals",
        [(" && (!distant || position.capital(strike.victim) == to)) return strike;", " && !distant) return strike;")],
    ),
    "05 full": (
        "attacks at full power share it",
        [("strike.factor = position.state.game.isInEffect(2) ? 1 : count;", "strike.factor = count;")],
    ),
    "05 shared": (
        "each of several attacks has the whole strength",
        [("strike.factor = position.state.game.isInEffect(2) ? 1 : count;", "strike.factor = 1;")],
    ),
    "06 a land": (
        "the item that loses a land loses none",
        [("        if (item == LAND_LOST) return _loseLand(position, seat, seed);\n", "        if (item == LAND_LOST) return;\n")],
    ),
    "06 the fat": (
        "the fat item has no effect",
        [("        if (item == FAT) return _takeLargest(position, seat);\n", "        if (item == FAT) return;\n")],
    ),
    "07 two": (
        "two turns in a row are had at once, not kept",
        [("        else _endTurn(position, position.state.game.isInEffect(4));\n        _savePosition(position);\n    }\n\n    /// @inheritdoc IConquest\n    function surrender", "        else _endTurn(position, false);\n        _savePosition(position);\n    }\n\n    /// @inheritdoc IConquest\n    function surrender")],
    ),
    "07 a port": (
        "attack and port in one turn have no effect",
        [("        bool more = position.state.game.isInEffect(3) && !otherDone;", "        bool more = otherDone && !otherDone;")],
    ),
    "08 ports": (
        "ports are ignored",
        [("            if (from == to || (ports(position) >> from) & 1 == 0) return NO_CONNECTION;", "            if (from == to) return NO_CONNECTION;")],
    ),
    "08 support": (
        "support by sea needs no port",
        [("            uint256 sea = ports(position) & lands & ~near;", "            uint256 sea = lands & ~near;")],
    ),
    "09 seats": (
        "seats are never full",
        [("        state.game = state.game.setAlive(seat);\n        emit PlayerJoined", "        emit PlayerJoined")],
    ),
    "09 an invitation": (
        "whoever invites a key locks it out",
        [("        return own && (state.status != Status.Open || state.game.isAlive(seat));", "        return own;")],
    ),
    "10 a capital": (
        "a capital's other lands stay",
        [("if (lands != 0) transferLands(position, lands, seat, to);", "if (lands != 0 && to == Positions.NOBODY) transferLands(position, lands, seat, to);")],
    ),
    "10 a hero": (
        "a hero dies alone",
        [("            position.army.halve(position.owned(owner));\n", "")],
    ),
    "10 one hero": (
        "heroes return",
        [("        if ((state.game.hadHero() >> seat) & 1 == 1) return;\n", "")],
    ),
    "11 a sleeper": (
        "one sleeper stops all",
        [("        _requireExpired(state);\n        if (state.game.draw()", "        if (state.deadline != 0) revert NothingToSettle();\n        if (state.game.draw()")],
    ),
    "11 three": ("sleepers stay for ever", [("uint8 public constant MAX_FORCED = 3;", "uint8 public constant MAX_FORCED = 4;")]),
    "11 passive": (
        "passive players never end",
        [("        if (state.ply >= MAX_PLIES) return", "        if (state.ply == 0) return")],
    ),
    "12 a border": (
        "borders have one side",
        [("                    wrong |= ~(graph.row(row.lowest()) >> land) & 1;\n", ""), ("if (wrong != 0 || all != 2 * later)", "if (wrong != 0)")],
    ),
    "12 a map": (
        "a map is code that anybody runs",
        [("0x61_0000_80_600a_3d_39_3d_f3_00;", "0x61_0000_80_600a_3d_39_3d_f3_5b;")],
    ),
    "12 only": ("anybody keeps maps", [("        if (msg.sender != _OWNER) revert NotTheGame();\n", "")]),
    "13": (
        "a neutral land is captured with superiority alone",
        [("        _recordPlayerCommand(position, ATTACK, abi.encodePacked(from, to));", "        if (_load(position, from) <= _load(position, to)) revert NotStronger(0, 0, 0);\n        _recordPlayerCommand(position, ATTACK, abi.encodePacked(from, to));")],
    ),
    "14": (
        "a player commands for another",
        [("if (account != mover) revert NotYourTurn(matchId, account, mover);", "")],
    ),
    "15": (
        "two turns in a row are run at once",
        [("        } else if (item != 0) {", "        } else if (item == 4) {\n            position.state.game = position.state.game.setUsed(item);\n        } else if (item != 0) {")],
    ),
    "16": (
        "there is a seventh player",
        [("MAX_PLAYERS = 6;", "MAX_PLAYERS = 7;")],
    ),
    "17": (
        "none of the soldiers may be moved",
        [("if (quarters == 0 || quarters > _QUARTERS)", "if (quarters > _QUARTERS)")],
    ),
    "18": (
        "there are fewer lands than players need",
        [("lands == 0 || lands < _LANDS_PER_PLAYER * players", "lands == 0")],
    ),
}  # fmt: skip
