"""Compares the gas costs of Tic-tac-toe's calls with the limit in the game's rules."""

from __future__ import annotations

from collections.abc import Iterator

from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.tic_tac_toe import DRAWN, HOST_WINS, Grid
from tests.contracts.support.session_keys import funded_account, offer_and_accept

ACCOUNTS = 3
MOVE_GAS = 45_000
"""The gas limit for a move."""


def rows(sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Measure all calls. Only moves have a gas limit. A move that a session key sends also calls
    the registry of keys."""
    for what, measured in _marks(sessions, game):
        yield what, measured, MOVE_GAS if what.startswith("move") else 0


def _marks(sessions: Contract, game: Contract) -> Iterator[tuple[str, int]]:
    host, challenger, clock = *game.node.accounts[:2], 60
    yield "create", game.send(host, "create", challenger, clock).gas
    grid = Grid(game, host, challenger, number=1)
    yield "accept", grid.send(challenger, "accept").gas
    for cells, end in ((HOST_WINS, "move, wins"), (DRAWN, "move, the last of a draw")):
        first, *moves, last = [receipt.gas for receipt in grid.play(*cells)]
        if cells == HOST_WINS:
            yield "move, the first", first
            yield f"move, mean of the {len(moves)} between", sum(moves) // len(moves)
        yield end, last
        yield "rematch", grid.send(host, "rematch").gas
        number = grid.view.rematch
        yield "accept the rematch", game.send(challenger, "accept", number).gas
        grid = Grid(game, host, challenger, number=number)
    yield "offerRestart", grid.send(host, "offerRestart").gas
    yield "acceptRestart", grid.send(challenger, "acceptRestart", 0).gas
    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], 4_000_000_000)
    linked = Grid(game, owner.address, challenger)
    yield "by a session key: move", linked.send(key.address, "move", 0, 0, 0).gas
