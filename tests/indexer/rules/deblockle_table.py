"""A Deblockle match without a chain. The Python rules emit the events, and the reducer folds these
events into the board."""

from __future__ import annotations

from typing import Any

from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.rules.call import Call, CallBlock
from indexer.rules.deblockle import events
from indexer.rules.deblockle_position import MOVE_CELLS, PASS
from tests.indexer.rules.overdue import check_overdue

A, B, C, TOKEN, NOBODY = (f"0x{digit * 40}" for digit in "12390")

SHEET_GAME = (
    ((4, 7), (3, 7), (6, 3, 5)),
    ((4, 1), (5, 1), (6, 3, 5)),
    ((3, 7), (3, 6), (4, 6, 5)),
    ((3, 6), (4, 4), (4, 6, 5)),
    ((5, 1), (5, 2), (3, 1, 5)),
    ((5, 2), (5, 6), (3, 1, 5)),
    ((4, 4), (5, 4), (2, 6, 4)),
    ((5, 4), (4, 3), (2, 6, 4)),
    ((5, 6), (5, 5), (6, 3, 5)),
    ((4, 3), (4, 2), (1, 2, 4)),
)
"""The moves of the example match in the game's rules, with one cube per player. Each has its start
square, its end square and the cube's faces afterwards."""

T, P = (5, 3, 1), (6, 3, 5)
"""The faces of a cube with T-hop on top, and the faces of a cube with stoP on top."""

Square = tuple[int, int]


class RulesTable:
    """A match between account A, which opens it, and account B, which joins. `now` is the time of
    the block with the next call."""

    def __init__(
        self, cubes: int = 1, ruleset: int = 0, stake: int = 0, rate: int = 0, clock: int = 0, join: bool = True
    ) -> None:
        self.game, self.board, self.seq, self.now = GAMES["deblockle"], GAMES["deblockle"].start, 0, 1_000
        terms = {"cubes": cubes, "ruleset": ruleset, "token": NOBODY, "stake": str(stake), "rate": str(rate)}
        self.terms = {**terms, "clock": clock}
        self.call(A, "create", opponent=NOBODY, **self.terms, rematchOf=0)
        if join:
            self.call(B, "join", **self.terms)

    def call(self, account: str, action: str, **arguments: Any) -> list[str]:
        """Make a call according to the rules, and return the names of the call's events. Raises
        IllegalMove if the rules reject the call."""
        emitted = events(self.board, Call(account, action, arguments, block=CallBlock(1, self.now)))
        for name, args in emitted:
            self.seq += 1
            event = Event("deblockle", 1, self.seq, name, args, 1, "", self.now, "", 0)
            self.board = fold(self.game, self.board, [event])
        check_overdue(self.game, self.board, self.now)
        return [name for name, _ in emitted]

    def move(self, start: Square, to: Square, account: str = "") -> list[str]:
        ends = {"fromX": start[0], "fromY": start[1], "toX": to[0], "toY": to[1]}
        return self.call(account or self.board["mover"], "makeMove", ply=self.board["ply"], **ends)

    def skip(self) -> list[str]:
        return self.call(self.board["mover"], "passMove", ply=self.board["ply"])

    def carry_out(self, move: int) -> list[str]:
        """Play a move, which is given as a number in the encoding of the move generator."""
        if move == PASS:
            return self.skip()
        cube, to = divmod(move, MOVE_CELLS)
        return self.move(square(self.board["cubes"][str(cube)]["cell"]), square(to))

    def faces(self, at: Square) -> tuple[int, int, int]:
        one = next(one for one in self.board["cubes"].values() if square(one["cell"]) == at)
        return one["up"], one["front"], one["right"]

    def put(self, **cubes: Json) -> None:
        """Replace all cubes on the board. Each keyword is the letter `c`, followed by a cube's
        ID."""
        self.board = {**self.board, "cubes": {name[1:]: one for name, one in cubes.items()}}


def cube(seat: int, at: Square, faces: tuple[int, int, int]) -> Json:
    x, y = at
    return {"seat": seat, "cell": 7 * (y - 1) + x - 1, **dict(zip(("up", "front", "right"), faces, strict=True))}


def square(cell: int) -> Square:
    return cell % 7 + 1, cell // 7 + 1
