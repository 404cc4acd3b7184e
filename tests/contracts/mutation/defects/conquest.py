"""Defects to plant in Conquest: the errors and missing effects of the original game that the game's
rules list, and other defects that our contract could have."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01a": (
        "a player can launch only one attack per turn",
        [("uint256 internal constant MAX_PAIRS = 16;", "uint256 internal constant MAX_PAIRS = 1;")],
    ),
    "01b": (
        "a land that the same launch has just conquered is attacked again",
        [("if (position.ownerOf(from) != seat || strike.victim == seat) strike.victim", "if (position.ownerOf(from) != seat) strike.victim")],
    ),
    "01c": (
        "an attack that is only as strong as the defence can be launched",
        [("            if (strike.attack20 <= strike.needed20) {\n                revert", "            if (strike.attack20 < strike.needed20) {\n                revert")],
    ),
    "02a": ("items never appear", [("_APPEARS_PERCENT = 12;", "_APPEARS_PERCENT = 0;")]),
    "02b": (
        "items never expire",
        [("uint256 item = (items & _MASK) - (1 << _TURNS_SHIFT);", "uint256 item = items & _MASK;")],
    ),
    "03a": (
        "the result of a draw depends on the block in which somebody settles it",
        [("seed = Entropy.hashOf(anchor + 1);", "seed = Entropy.hashOf(block.number - 1);")],
    ),
    "03b": (
        "the luck is already known when a player launches an attack",
        [("seed = Entropy.hashOf(anchor + 1);", "seed = Entropy.hashOf(anchor - 1);")],
    ),
    "03c": (
        "a draw can be settled in the block that decides it",
        [("uint256 private constant _WAIT_BLOCKS = 2;", "uint256 private constant _WAIT_BLOCKS = 1;")],
    ),
    "03d": (
        "an attacker who waits until the hash is unavailable gets more luck",
        [("            uint256 luck = _MIN_LUCK;\n            if (seed != 0) {", "            uint256 luck = _MIN_LUCK;\n            if (luck != 0) {")],
    ),
    "03e": (
        "a command is valid after any result of the draw",
        [("        if (trail != current) revert OtherPosition(current, trail);\n", "        trail; current;\n")],
    ),
    "04a": (
        "the item for a distant attack has no effect",
        [("        if (strike.distant && (!distant ||", "        if (strike.distant && (distant || !distant ||")],
    ),
    "04b": (
        "attacks need no path",
        [("        bool distant = state.game.isInEffect(1);\n        for (uint256 index; index < count; ++index) {", "        bool distant = true;\n        for (uint256 index; index < count; ++index) {")],
    ),
    "04c": (
        "captures need no path",
        [("        if (!state.game.isInEffect(1) && position.connectionOf(from, to) == Positions.NO_CONNECTION) {", "        if (from == to && position.connectionOf(from, to) == Positions.NO_CONNECTION) {")],
    ),
    "04d": (
        "a distant attack can conquer a capital",
        [(" && (!distant || position.capital(strike.victim) == to)) return strike;", " && !distant) return strike;")],
    ),
    "05a": (
        "the item for full power has no effect, so several attacks share the strength",
        [("strike.factor = position.state.game.isInEffect(2) ? 1 : count;", "strike.factor = count;")],
    ),
    "05b": (
        "each of several attacks has the full strength without the item",
        [("strike.factor = position.state.game.isInEffect(2) ? 1 : count;", "strike.factor = 1;")],
    ),
    "06a": (
        "the item that costs a land has no effect",
        [("        if (item == LAND_LOST) return _loseLand(position, seat, seed);\n", "        if (item == LAND_LOST) return;\n")],
    ),
    "06b": (
        "the fat item has no effect",
        [("        if (item == FAT) return _takeLargest(position, seat);\n", "        if (item == FAT) return;\n")],
    ),
    "07a": (
        "the item for two turns in a row has no effect",
        [("        else _endTurn(position, position.state.game.isInEffect(4));\n        _savePosition(position);\n    }\n\n    /// @inheritdoc IConquest\n    function surrender", "        else _endTurn(position, false);\n        _savePosition(position);\n    }\n\n    /// @inheritdoc IConquest\n    function surrender")],
    ),
    "07b": (
        "the item for an attack and a port in one turn has no effect",
        [("        bool more = position.state.game.isInEffect(3) && !otherDone;", "        bool more = otherDone && !otherDone;")],
    ),
    "08a": (
        "a path by sea needs no ports",
        [("            if (from == to || (ports(position) >> from) & 1 == 0) return NO_CONNECTION;", "            if (from == to) return NO_CONNECTION;")],
    ),
    "08b": (
        "support by sea needs no port",
        [("            uint256 sea = ports(position) & lands & ~near;", "            uint256 sea = lands & ~near;")],
    ),
    "09a": (
        "a match never counts as full",
        [("        state.game = state.game.setAlive(seat);\n        emit PlayerJoined", "        emit PlayerJoined")],
    ),
    "09b": (
        "an invitation to a key locks the key out of the match",
        [("        return own && (state.status != Status.Open || state.game.isAlive(seat));", "        return own;")],
    ),
    "10a": (
        "when a capital falls, its owner keeps the other lands",
        [("if (lands != 0) transferLands(position, lands, seat, to);", "if (lands != 0 && to == Positions.NOBODY) transferLands(position, lands, seat, to);")],
    ),
    "10b": (
        "a hero's death halves no soldiers",
        [("            position.army.halve(position.owned(owner));\n", "")],
    ),
    "10c": (
        "a player can have a second hero in a match",
        [("        if ((state.game.hadHero() >> seat) & 1 == 1) return;\n", "")],
    ),
    "11a": (
        "one idle player stops the match",
        [("        _requireExpired(state);\n        if (state.game.draw()", "        if (state.deadline != 0) revert NothingToSettle();\n        if (state.game.draw()")],
    ),
    "11b": ("an idle player stays in the match after three forced passes", [("uint8 public constant MAX_FORCED = 3;", "uint8 public constant MAX_FORCED = 4;")]),
    "11c": (
        "a match between passive players never ends",
        [("        if (state.ply >= MAX_PLIES) return", "        if (state.ply == 0) return")],
    ),
    "12a": (
        "a border can have only one side",
        [("                    wrong |= ~(graph.row(row.lowest()) >> land) & 1;\n", ""), ("if (wrong != 0 || all != 2 * later)", "if (wrong != 0)")],
    ),
    "12b": (
        "anybody can run a map as code",
        [("0x61_0000_80_600a_3d_39_3d_f3_00;", "0x61_0000_80_600a_3d_39_3d_f3_5b;")],
    ),
    "12c": ("anybody can store maps", [("        if (msg.sender != _OWNER) revert NotTheGame();\n", "")]),
    "13": (
        "a player can capture a neutral land only with superior numbers",
        [("        _recordPlayerCommand(position, ATTACK, abi.encodePacked(from, to));", "        if (_load(position, from) <= _load(position, to)) revert NotStronger(0, 0, 0);\n        _recordPlayerCommand(position, ATTACK, abi.encodePacked(from, to));")],
    ),
    "14": (
        "a player can send commands in another player's turn",
        [("if (account != mover) revert NotYourTurn(matchId, account, mover);", "")],
    ),
    "15": (
        "the item for two turns in a row is used immediately",
        [("        } else if (item != 0) {", "        } else if (item == 4) {\n            position.state.game = position.state.game.setUsed(item);\n        } else if (item != 0) {")],
    ),
    "16": (
        "a match can have a seventh player",
        [("MAX_PLAYERS = 6;", "MAX_PLAYERS = 7;")],
    ),
    "17": (
        "a move can move no soldiers",
        [("if (quarters == 0 || quarters > _QUARTERS)", "if (quarters > _QUARTERS)")],
    ),
    "18": (
        "a map can have fewer lands than the players need",
        [("lands == 0 || lands < _LANDS_PER_PLAYER * players", "lands == 0")],
    ),
}  # fmt: skip
