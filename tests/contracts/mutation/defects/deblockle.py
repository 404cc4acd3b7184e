"""Illegal calls that the published Deblockle accepts (its sheet, 4.7), and other defects that this
contract could have."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01 who removes": (
        "the loser is named the winner",
        [("if (left == 0) return _finish(matchId, state, state.mover, Reason.Won);", "if (left == 0) return _finish(matchId, state, 1 - state.mover, Reason.Won);")],
    ),
    "02 nobody": (
        "anybody gives a match up",
        [("uint8 winner = 1 - _seatOf(matchId, _player(matchId));", "uint8 winner = 1 - _seatOf(matchId, msg.sender);")],
    ),
    "02 only": (
        "anybody takes a match back",
        [("        if (account != inviter) revert NotTheInviter(matchId, account, inviter);\n", "        account; inviter;\n")],
    ),
    "02 a named": (
        "a named seat is for anybody",
        [("        else if (account != invited) revert NotInvited(matchId, account, invited);\n", "        else _players[matchId][seat] = account;\n")],
    ),
    "03 nothing is moved before": (
        "moves are possible before the start",
        [("        if (state.status == Status.Open) revert NotStarted(matchId);\n", "        if (state.status == Status.Open) return;\n")],
    ),
    "03 nothing is moved after": (
        "moves are possible after the end",
        [("        _requireStatus(matchId, state, Status.Playing);\n    }\n\n    /// @dev A session key has", "    }\n\n    /// @dev A session key has")],
    ),
    "04 the cube": (
        "any own cube hops",
        [
            ("if (hopper != Position.NO_CUBE && hopper != id) {", "if (hopper == id && hopper != id) {"),
            ("        if (hopper == id) _hop(", "        if (hopper != Position.NO_CUBE) _hop("),
        ],
    ),
    "04 a cube": (
        "a cube hops as often as it can",
        [("        _countPly(state, 0, position.quiet() + 1);\n        _endPly(matchId, state, true);", "        _countPly(state, 0, position.quiet() + 1);\n        _endPly(matchId, state, false);")],
    ),
    "05 only": (
        "either player moves",
        [("            if (account != mover) revert NotYourTurn(matchId, account, mover);\n", "")],
    ),
    "05 a move": (
        "a move is for any position",
        [("        }\n        if (ply != state.ply) revert StaleMove(state.ply, ply);", "        }")],
    ),
    "06 passing": ("passing goes on for ever", [("position.passes() == MAX_PASSES || ", "")]),
    "06 a match": ("a match goes on for ever", [(" || position.quiet() == MAX_QUIET", "")]),
    "06 who can": (
        "by the rules of the board a hop may be let go by",
        [("if (position.strict() && (!rolling || DeblockleRules", "if (position.strict() && (rolling && DeblockleRules")],
    ),
    "06 who does": (
        "who does not move wins",
        [("_finish(matchId, state, 1 - state.mover, Reason.Timeout);", "_finish(matchId, state, state.mover, Reason.Timeout);")],
    ),
    "06 a roll": (
        "a roll winds the clock",
        [("        if (!over) return;\n", "        if (!over) return _restartClock(state);\n")],
    ),
    "07 illegal": (
        "a cube is rolled on another",
        [("        if ((position.occupied() >> to) & 1 == 1) revert SquareTaken(toX, toY);\n", "")],
    ),
    "07 no": (
        "the board is round",
        [("        return (cells & ~_COLUMN) >> 1;\n", "        return cells >> 1;\n")],
    ),
    "07 star": (
        "any face may stand on the own star square",
        [("if ((up == DeblockleRules.STAR) != home) revert", "if (up == DeblockleRules.STAR && !home) revert")],
    ),
    "07 hops": (
        "a cube hops anywhere",
        [("if ((DeblockleRules.hops(position, move.id) >> move.to) & 1 == 0)", "if (move.to > 48)")],
    ),
    "07 slides": ("slides by the rules of the board are Near's", [("        if (strict) return _slide(start, free);\n", "        if (cell > 48) return _slide(start, free);\n")]),
    "07 a clock": ("a clock may be as short as it likes", [("uint24 public constant MIN_CLOCK = 30;", "uint24 public constant MIN_CLOCK = 1;")]),
    "11 the winner": (
        "the loser is paid",
        [("            if (seat == state.mover) return 2 *", "            if (seat != state.mover) return 2 *")],
    ),
    "11 what": (
        "a payment is forgotten",
        [("        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n", "")],
    ),
    "11 time": (
        "time flows to who thinks",
        [("state.status == Status.Playing && seat != state.mover) total", "state.status == Status.Playing && seat == state.mover) total")],
    ),
    "11 a turn": (
        "a turn counts from its hop",
        [("        if (!over) return;\n", "        if (!over) return _restartClock(state);\n")],
    ),
    "11 no more": (
        "a stream goes on when its deposit is empty",
        [("return amount < stake.amount ? amount : stake.amount;", "return amount;")],
    ),
    "11 seconds": (
        "seconds wrap",
        [("        if (total > type(uint32).max) total = type(uint32).max;\n", "")],
    ),
    "11 a running": (
        "seconds stop at 32 bits when a turn is over, and not before",
        [
            ("        if (total > type(uint32).max) total = type(uint32).max;\n", ""),
            ("        uint256 total = _streamedSeconds(state, streamedBySeat, waitingSeat);\n", "        uint256 total = _streamedSeconds(state, streamedBySeat, waitingSeat);\n        if (total > type(uint32).max) total = type(uint32).max;\n"),
        ],
    ),
    "12 whoever": (
        "an empty deposit stops nothing",
        [("        return left < state.clock ? uint40(_turnStart(state) + left) : state.deadline;", "        return left > state.clock ? uint40(_turnStart(state) + left) : state.deadline;")],
    ),
    "12 seconds": (
        "a deposit is full again with each turn",
        [("uint256 left = duration > before ? duration - before : 0;", "uint256 left = before > 0 ? duration : duration;")],
    ),
    "12 a clock": (
        "a deposit outlasts the clock",
        [("        return left < state.clock ? uint40(_turnStart(state) + left) : state.deadline;", "        return uint40(_turnStart(state) + left);")],
    ),
    "13 a deposit is": (
        "too much is kept",
        [("if (msg.value != amount) revert BadDeposit(token, amount, msg.value);", "if (msg.value < amount) revert BadDeposit(token, amount, msg.value);")],
    ),
    "13 who joins": (
        "who joins is not asked for the terms",
        [("        if (token != terms.token) revert WrongToken(token, terms.token);\n", "        token = terms.token;\n")],
    ),
    "13 no other": (
        "who joins is asked for token and stake alone",
        [("        if (cubes != size || ruleset != own || rate != terms.rate || clock != state.clock) {", "        if (cubes == 0 && ruleset == own && rate == terms.rate && clock == state.clock) {")],
    ),
    "13 a deposit lasts": (
        "a deposit may stand still, or be gone at once",
        [("        if (rate > maximum || (rate == 0 && stake != 0)) revert BadRate(rate, maximum);\n", "        if (rate > stake) revert BadRate(rate, maximum);\n")],
    ),
    "13 a match": ("a match with a stake may have no clock", [("stake == 0 ? 0 : MIN_STAKE_CLOCK", "0")]),
    "13 what": ("five cubes are four", [("        if (cubes == 0 || cubes > Position.CUBES) revert BadCubes(cubes);\n", "")]),
    "13 a rematch": (
        "a rematch is for anybody",
        [("        if (!over || !same) revert BadRematch(matchId);", "        if (!over && !same) revert BadRematch(matchId);")],
    ),
    "14 a session key plays": (
        "a session key pays",
        [("        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);\n", "        account; stake; msg.sender;\n")],
    ),
    "14 a session key joins": (
        "an invited key takes the seat for itself",
        [("_account(); // an invited key", "_account(matchId); // an invited key")],
    ),
    "14 a token that calls": (
        "withdraw has no lock",
        [("function withdraw(uint48 matchId) external nonReentrant {", "function withdraw(uint48 matchId) external {")],
    ),
    "14 a token that moves": (
        "deposits are believed",
        [("        if (received != amount) revert BadDeposit(token, amount, received);\n", "        received;\n")],
    ),
    "14 no": (
        "all matches have one sum of payments",
        [
            ("        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n", "        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);\n        _stakes[matchId + 1].withdrawn[seat] += uint128(amount);\n"),
        ],
    ),
}  # fmt: skip
