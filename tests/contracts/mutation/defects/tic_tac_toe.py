"""Defects to plant in Tic-tac-toe. The published contract has them (section 3.3 of the game's
rules). The 9th defect in the rules, that the host pays for all calls, is left out, because none of
our contracts could have it."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01a": (
        "a full board is no draw",
        [("} else if (grid.host | grid.challenger == _ALL_CELLS) {", "} else if (grid.host | grid.challenger == 0) {")],
    ),
    "01b": (
        "a board with a free cell counts as full",
        [("} else if (grid.host | grid.challenger == _ALL_CELLS) {", "} else if (grid.host | grid.challenger != _ALL_CELLS) {")],
    ),
    "02": (
        "rows and columns are swapped",
        [("uint16(1 << (row * _SIDE + column))", "uint16(1 << (column * _SIDE + row))")],
    ),
    "03": (
        "only the cell's number is checked, so (0, 5) counts as (1, 2)",
        [("if (row >= _SIDE || column >= _SIDE)", "if (uint256(row) * _SIDE + column >= 9)")],
    ),
    "04": (
        "the diagonals are those of a board with four columns",
        [("0x007_038_1c0_049_092_124_111_054", "0x007_038_1c0_049_092_124_421_054")],
    ),
    "05a": (
        "either player can restart a match alone",
        [("if (grid.offer != 2 - seat) revert NoOffer(matchId);", "")],
    ),
    "05b": (
        "an offer is still valid after the next move",
        [("        grid.offer = 0;\n        _restartClock(state);", "        _restartClock(state);")],
    ),
    "05c": (
        "a result can be wiped",
        [
            ("        _requireStatus(matchId, state, Status.Playing);\n        address account = _player(matchId);\n        if (ply != state.ply)", "        address account = _player(matchId);\n        if (ply != state.ply)"),
            ("        grid.offer = 0;\n        _end", "        _end"),
            ("        grid.offer = 0;\n        _restartClock", "        _restartClock"),
        ],
    ),
    "06": (
        "the host can close a match that has begun",
        [("        _requireStatus(matchId, state, Status.Open);\n        address opener", "        address opener")],
    ),
    "07a": (
        "a match begins before the challenger accepts",
        [("        _save(matchId, state);\n    }\n\n    /// @inheritdoc ITicTacToe\n    function accept(", "        _save(matchId, state);\n        if (challenger != address(0)) _accept(matchId, state, challenger);\n    }\n\n    /// @inheritdoc ITicTacToe\n    function accept(")],
    ),
    "07b": (
        "there is no clock",
        [("        _requireTimeout(matchId, state);\n", "        if (state.status == Status.Playing) revert NoClock(matchId);\n")],
    ),
    "07c": (
        "only the mover can resign",
        [("        _finish(matchId, state, grid, 2 - _seatOf(matchId, account), Reason.Resigned);", "        _requireTurn(matchId, state, state.ply);\n        _finish(matchId, state, grid, 2 - _seatOf(matchId, account), Reason.Resigned);")],
    ),
    "08": (
        "a draw counts as a win of the account `draw`",
        [("_end(matchId, state, _playerWithMark(matchId, mark), reason);", "_end(matchId, state, reason == Reason.Draw ? address(bytes20(\"draw\")) : _playerWithMark(matchId, mark), reason);")],
    ),
    "10": (
        "an empty line through the centre hides all others",
        [
            ("        uint16 line = _completeLines(own);", "        uint16 line = _hidden(grid.host | grid.challenger) ? 0 : _completeLines(own);"),
            ("    function _playerWithMark(", """    function _hidden(uint16 taken) private pure returns (bool) {
        uint16[4] memory through = [uint16(0x038), 0x092, 0x111, 0x054];
        for (uint256 i; i < 4; ++i) if (taken & through[i] == 0) return true;
        return false;
    }

    function _playerWithMark("""),
        ],
    ),
}  # fmt: skip
