"""Defects to plant in Deblockle: the illegal calls that the published contract accepts (section 4.7
of the game's rules), and other defects that our contract could have."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01": (
        "the loser is named the winner",
        [("if (left == 0) return _finish(matchId, state, state.mover, Reason.Won);", "if (left == 0) return _finish(matchId, state, 1 - state.mover, Reason.Won);")],
    ),
    "02a": (
        "anybody can resign for a player",
        [("uint8 winner = 1 - _seatOf(matchId, _player(matchId));", "uint8 winner = 1 - _seatOf(matchId, msg.sender);")],
    ),
    "02b": (
        "anybody can cancel a match",
        [("        if (account != inviter) revert NotTheInviter(matchId, account, inviter);\n", "        account; inviter;\n")],
    ),
    "02c": (
        "anybody can take a seat that is reserved for a named player",
        [("        else if (account != invited) revert NotInvited(matchId, account, invited);\n", "        else _players[matchId][seat] = account;\n")],
    ),
    "03a": (
        "players can move before the start",
        [("        if (state.status == Status.Open) revert NotStarted(matchId);\n", "        if (state.status == Status.Open) return;\n")],
    ),
    "03b": (
        "players can move after the end",
        [("revert NotStarted(matchId);\n        _requireStatus(matchId, state, Status.Playing);\n", "revert NotStarted(matchId);\n")],
    ),
    "04a": (
        "any of the mover's cubes can hop",
        [
            ("if (hopper != Position.NO_CUBE && hopper != id) {", "if (hopper == id && hopper != id) {"),
            ("        if (hopper == id) _hop(", "        if (hopper != Position.NO_CUBE) _hop("),
        ],
    ),
    "04b": (
        "a cube can hop several times in a turn",
        [("        _countPly(state, 0, position.quiet() + 1);\n        _endPly(matchId, state, true);", "        _countPly(state, 0, position.quiet() + 1);\n        _endPly(matchId, state, false);")],
    ),
    "05a": (
        "either player can move at any time",
        [("            if (account != mover) revert NotYourTurn(matchId, account, mover);\n", "")],
    ),
    "05b": (
        "a move is valid in any position",
        [("        }\n        if (ply != state.ply) revert StaleMove(state.ply, ply);", "        }")],
    ),
    "06a": ("the players can pass for ever", [("position.passes() == MAX_PASSES || ", "")]),
    "06b": ("a match without removals never ends", [(" || position.quiet() == MAX_QUIET", "")]),
    "06c": (
        "in the ruleset Board, a player can pass instead of a hop",
        [("if (position.strict() && (!rolling || DeblockleRules", "if (position.strict() && (rolling && DeblockleRules")],
    ),
    "06d": (
        "a player who doesn't move in time wins",
        [("_finish(matchId, state, 1 - state.mover, Reason.Timeout);", "_finish(matchId, state, state.mover, Reason.Timeout);")],
    ),
    "06e": (
        "a roll restarts the clock",
        [("        if (!over) return;\n", "        if (!over) return _restartClock(state);\n")],
    ),
    "07a": (
        "a cube can roll onto another cube",
        [("        if ((position.occupied() >> to) & 1 == 1) revert SquareTaken(toX, toY);\n", "")],
    ),
    "07b": (
        "a cube can roll around the edge of the board",
        [("        return (cells & ~_COLUMN) >> 1;\n", "        return cells >> 1;\n")],
    ),
    "07c": (
        "any face can show on the player's own star square",
        [("if ((up == DeblockleRules.STAR) != home) revert", "if (up == DeblockleRules.STAR && !home) revert")],
    ),
    "07d": (
        "a cube can hop to any square",
        [("if ((DeblockleRules.hops(position, move.id) >> move.to) & 1 == 0)", "if (move.to > 48)")],
    ),
    "07e": ("slides in the ruleset Board follow the rules of Near", [("        if (strict) return _slide(start, free);\n", "        if (cell > 48) return _slide(start, free);\n")]),
    "07f": ("a clock can be too short", [("uint24 public constant MIN_CLOCK = 30;", "uint24 public constant MIN_CLOCK = 1;")]),
    "11a": (
        "the loser is paid",
        [("            if (seat == state.mover) return 2 *", "            if (seat != state.mover) return 2 *")],
    ),
    "11b": (
        "the contract doesn't store that it has paid",
        [("        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n", "")],
    ),
    "11c": (
        "the stream goes to the player who thinks",
        [("state.status == Status.Playing && seat != state.mover) total", "state.status == Status.Playing && seat == state.mover) total")],
    ),
    "11d": (
        "the seconds of a turn count only from the roll on",
        [("        if (!over) return;\n", "        if (!over) return _restartClock(state);\n")],
    ),
    "11e": (
        "a stream continues after its deposit has run dry",
        [("return amount < stake.amount ? amount : stake.amount;", "return amount;")],
    ),
    "11f": (
        "the seconds wrap around at 32 bits",
        [("        if (total > type(uint32).max) total = type(uint32).max;\n", "")],
    ),
    "11g": (
        "the seconds are limited to 32 bits only when a turn is over",
        [
            ("        if (total > type(uint32).max) total = type(uint32).max;\n", ""),
            ("        uint256 total = _streamedSeconds(state, streamedBySeat, waitingSeat);\n", "        uint256 total = _streamedSeconds(state, streamedBySeat, waitingSeat);\n        if (total > type(uint32).max) total = type(uint32).max;\n"),
        ],
    ),
    "12a": (
        "a deposit that has run dry doesn't end the match",
        [("        return left < state.clock ? uint40(_turnStart(state) + left) : state.deadline;", "        return left > state.clock ? uint40(_turnStart(state) + left) : state.deadline;")],
    ),
    "12b": (
        "the deposit counts as full again in each turn",
        [("uint256 left = duration > before ? duration - before : 0;", "uint256 left = before > 0 ? duration : duration;")],
    ),
    "12c": (
        "the clock has no effect if the deposit lasts longer",
        [("        return left < state.clock ? uint40(_turnStart(state) + left) : state.deadline;", "        return uint40(_turnStart(state) + left);")],
    ),
    "13a": (
        "the contract keeps ether that exceeds the stake",
        [("if (msg.value != amount) revert BadDeposit(token, amount, msg.value);", "if (msg.value < amount) revert BadDeposit(token, amount, msg.value);")],
    ),
    "13b": (
        "a player who joins doesn't need to name the token",
        [("        if (token != terms.token) revert WrongToken(token, terms.token);\n", "        token = terms.token;\n")],
    ),
    "13c": (
        "a player who joins needs to name only the token and the stake",
        [("        if (cubes != size || ruleset != own || rate != terms.rate || clock != state.clock) {", "        if (cubes == 0 && ruleset == own && rate == terms.rate && clock == state.clock) {")],
    ),
    "13d": (
        "a deposit can stream back never or within a minute",
        [("        if (rate > maximum || (rate == 0 && stake != 0)) revert BadRate(rate, maximum);\n", "        if (rate > stake) revert BadRate(rate, maximum);\n")],
    ),
    "13e": ("a match with a stake can have no clock", [("stake == 0 ? 0 : MIN_STAKE_CLOCK", "0")]),
    "13f": ("a match can be opened with an invalid number of cubes", [("        if (cubes == 0 || cubes > Position.CUBES) revert BadCubes(cubes);\n", "")]),
    "13g": (
        "anybody can open a rematch of a match",
        [("        if (!over || !same) revert BadRematch(matchId);", "        if (!over && !same) revert BadRematch(matchId);")],
    ),
    "14a": (
        "a session key can pay",
        [("        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);\n", "        account; stake; msg.sender;\n")],
    ),
    "14b": (
        "an invited key takes the seat for itself",
        [("= _load(matchId);\n        address account = _account();", "= _load(matchId);\n        address account = _account(matchId);")],
    ),
    "14c": (
        "withdraw has no lock",
        [("function withdraw(uint48 matchId) external nonReentrant {", "function withdraw(uint48 matchId) external {")],
    ),
    "14d": (
        "deposits are not measured",
        [("        if (received != amount) revert BadDeposit(token, amount, received);\n", "        received;\n")],
    ),
    "14e": (
        "a payment also counts for the next match",
        [
            ("        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n", "        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n        _stakes[matchId + 1].withdrawn[seat] += uint128(amount);\n"),
        ],
    ),
}  # fmt: skip
