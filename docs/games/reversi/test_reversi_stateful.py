"""Tests that the contract, the reducer and an independent model agree after each move in random
matches."""

from __future__ import annotations

import random

import pytest

from indexer.gamekit.game import fold
from indexer.games.reversi import GAME
from indexer.model import Event
from tests.contracts.support.contract import Contract, Reverted

CONTRACT = "Reversi"


WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
PERFT = [4, 12, 56, 244, 1396]
"""The published numbers of possible Othello games with 1, 2, 3, 4 and 5 moves."""


class Model:
    """A model of the rules in Python. Unlike the contract, the model walks from cell to cell and
    uses no masks."""

    def __init__(self) -> None:
        self.cells = {"27": 1, "28": 0, "35": 0, "36": 1}
        self.mover = 0
        self.passes = 0

    def turned(self, cell: int, seat: int) -> list[int]:
        if str(cell) in self.cells:
            return []
        return [one for way in WAYS for one in self._line(cell, seat, *way)]

    def _line(self, cell: int, seat: int, dx: int, dy: int) -> list[int]:
        found: list[int] = []
        x, y = cell % 8 + dx, cell // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8 and (held := self.cells.get(str(y * 8 + x))) is not None:
            if held == seat:
                return found
            found.append(y * 8 + x)
            x, y = x + dx, y + dy
        return []

    def moves(self, seat: int | None = None) -> list[int]:
        """Return the cells where the mover may move. The list is empty at the end of the match."""
        return [cell for cell in range(64) if self.turned(cell, self.mover if seat is None else seat)]

    def move(self, cell: int) -> None:
        self.cells |= {str(one): self.mover for one in [cell, *self.turned(cell, self.mover)]}
        if self.moves(1 - self.mover):
            self.mover = 1 - self.mover
        elif self.moves():
            self.passes += 1

    @property
    def winner(self) -> int | None:
        lead = sum(1 if seat == 0 else -1 for seat in self.cells.values())
        return None if lead == 0 else int(lead < 0)

    def after(self, cell: int) -> Model:
        made = Model()
        made.cells, made.mover = dict(self.cells), self.mover
        made.move(cell)
        return made

    def discs(self) -> tuple[int, int]:
        """Return the masks of the mover's discs and of the opponent's discs."""
        masks = [sum(1 << int(cell) for cell, held in self.cells.items() if held == seat) for seat in (0, 1)]
        return masks[self.mover], masks[1 - self.mover]


def test_as_many_games_as_are_known_begin_each_way(game: Contract) -> None:
    """Count the possible games of each length in the model. In every position, compare the model's
    legal moves with the contract's legal moves."""
    positions = [Model()]
    for count in PERFT:
        requests = [game.request("legal", *one.discs()) for one in positions]
        masks = [game.result("legal", answer) for answer in game.node.batch(requests)]
        assert masks == [sum(1 << cell for cell in one.moves()) for one in positions]
        assert sum(mask.bit_count() for mask in masks) == count
        positions = [one.after(cell) for one in positions for cell in one.moves()] if count < PERFT[-1] else []


@pytest.mark.parametrize("seed", range(10))
def test_random_matches_agree(game: Contract, seed: int) -> None:
    draw, players, model = random.Random(seed), game.node.accounts[1:3], Model()
    opened = game.send(players[0], "create", players[1], 60)
    match, events = opened.events[0].match, list[Event](opened.events)
    events += game.send(players[1], "join", match).events
    ply = 0
    while cells := model.moves():
        cell, mover = draw.choice(cells), players[model.mover]
        events += game.send(mover, "move", match, ply, cell).events
        model.move(cell)
        ply += 1
        board, view = fold(GAME, GAME.start, events), game.call("board", match)
        assert (board["ply"], board["cells"], view[0], view[3]) == (ply, model.cells, len(events), ply)
        discs = [sum(1 << int(cell) for cell, held in model.cells.items() if held == seat) for seat in (0, 1)]
        assert list(view[8]) == discs
        if model.moves():
            assert (board["mover"], view[7]) == (players[model.mover], players[model.mover].lower())
    assert board["status"] == "finished"
    assert board.get("winner") == (None if model.winner is None else players[model.winner])
    assert sum(event.name == "Passed" for event in events) == model.passes


def test_who_can_not_move_passes(game: Contract) -> None:
    """Play random matches until a player has to pass."""
    for seed in range(100):
        draw, model, cells = random.Random(seed), Model(), list[int]()
        while not model.passes and model.moves():
            cells.append(draw.choice(model.moves()))
            model.move(cells[-1])
        if model.passes:
            break
    players = game.node.accounts[1:3]
    match = game.send(players[0], "create", players[1], 0).events[0].match
    game.send(players[1], "join", match)
    movers, replayed = [], Model()
    for ply, cell in enumerate(cells):
        movers.append(replayed.mover)
        replayed.move(cell)
        last = game.send(players[movers[-1]], "move", match, ply, cell)
    assert [event.name for event in last.events] == ["Moved", "Passed"]
    assert last.named("Passed") == [{"by": players[1 - movers[-1]]}]
    with pytest.raises(Reverted, match="NotYourTurn"):
        game.send(players[1 - movers[-1]], "move", match, len(cells), 0)
    game.send(players[movers[-1]], "move", match, len(cells), replayed.moves()[0])
