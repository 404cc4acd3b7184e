"""The recorded games of Tic-tac-toe."""

from __future__ import annotations

from functools import partial

from tests.contracts.deployed import Contract
from tests.contracts.grid import CHALLENGER_WINS, DRAWN, HOST_WINS, NOBODY, Grid

TWO_LINES = (1, 4, 2, 5, 3, 7, 6, 8, 0)
CLOCK = 60


def begun(game: Contract, clock: int = 0) -> Grid:
    return Grid(game, *game.anvil.accounts[:2], clock)


def played(game: Contract, cells: tuple[int, ...]) -> int:
    grid = begun(game)
    grid.play(*cells)
    return grid.match


def walk_through(game: Contract) -> int:
    """The sheet's: (0, 0), (1, 1), then begun anew, here by consent."""
    grid = begun(game)
    grid.play(0, 4)
    grid.send(grid.host, "offerRestart")
    grid.send(grid.challenger, "acceptRestart", 2)
    return grid.match


def declined_restart(game: Contract) -> int:
    """The offer lapses with a move; then a player resigns."""
    grid = begun(game)
    grid.play(0, 4)
    grid.send(grid.challenger, "offerRestart")
    grid.play(8)
    grid.send(grid.challenger, "resign")
    return grid.match


def too_late(game: Contract) -> int:
    """A late move counts; a later one is too late."""
    grid = begun(game, CLOCK)
    game.anvil.rpc("evm_setNextBlockTimestamp", grid.view.deadline + 1)
    grid.play(4)
    game.anvil.rpc("evm_setNextBlockTimestamp", grid.view.deadline)
    grid.send(game.anvil.accounts[2], "claimTimeout")
    return grid.match


def closed(game: Contract) -> int:
    grid = Grid(game, game.anvil.accounts[0], NOBODY, CLOCK, accept=False)
    grid.send(grid.host, "close")
    return grid.match


def rematch(game: Contract) -> int:
    """Opened by who won, and so in the second seat."""
    grid = begun(game, CLOCK)
    grid.play(*HOST_WINS)
    grid.send(grid.host, "rematch")
    number = grid.view.rematch
    again = Grid(game, grid.challenger, grid.host, number=number)
    again.send(grid.challenger, "accept")
    again.play(*DRAWN)
    again.send(grid.host, "rematch")
    return number


STORIES = {
    "host-wins": partial(played, cells=HOST_WINS),
    "challenger-wins": partial(played, cells=CHALLENGER_WINS),
    "draw": partial(played, cells=DRAWN),
    "two-lines": partial(played, cells=TWO_LINES),
    "walk-through": walk_through,
    "resigned": declined_restart,
    "timeout": too_late,
    "closed": closed,
    "rematch": rematch,
}
