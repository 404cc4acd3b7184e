"""Tests that calls stay within the gas limits in Tic-tac-toe's rules, and within the gas limits
that the game suggests to wallets."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.tic_tac_toe import (
    CHALLENGER_WINS,
    DRAWN,
    HOST_WINS,
    NOBODY,
    Grid,
    begun,
    funded_address,
)

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "TicTacToe"
MOVE_GAS = 45_000
TWO_LINES = (1, 4, 2, 5, 3, 7, 6, 8, 0)


@pytest.mark.parametrize("clock", [0, 60])
@pytest.mark.parametrize("cells", [HOST_WINS, CHALLENGER_WINS, DRAWN, TWO_LINES])
def test_gas_of_every_move(game: Contract, clock: int, cells: tuple[int, ...]) -> None:
    """Tests the most expensive moves: first moves, winning moves, drawing moves, and moves that
    cancel an offered restart."""
    grid = begun(game, clock)
    for cell in cells:
        grid.send(grid.host, "offerRestart")
        (moved,) = grid.play(cell)
        assert moved.gas <= MOVE_GAS
    assert moved.named("MatchEnded")


def test_gas_limits_suffice(game: Contract) -> None:
    """Tests the gas limits that `/api/games` suggests to wallets. They must be high enough for the
    most expensive call of each type."""
    limits = {action.name: action.gas for action in GAMES["tic-tac-toe"].actions}
    host, challenger, clock = funded_address(game.node), funded_address(game.node), 60
    spent: dict[str, int] = {}

    def send(sender: str, function: str, *args: object) -> int:
        receipt = game.send(sender, function, *args)
        spent[function] = max(spent.get(function, 0), receipt.gas)
        return receipt.events[0].match

    send(host, "close", send(host, "create", challenger, clock))
    match = send(host, "create", NOBODY, clock)
    send(challenger, "accept", match)
    send(host, "offerRestart", match)
    send(challenger, "acceptRestart", match, 0)
    grid = Grid(game, host, challenger, number=match + 1)
    for ply, cell in enumerate(TWO_LINES):
        send((host, challenger)[ply % 2], "move", grid.match, ply, cell // 3, cell % 3)
    send(host, "rematch", grid.match)
    send(challenger, "rematch", grid.match)
    send(challenger, "resign", match + 2)
    timed = begun(game, clock)
    game.node.rpc("evm_setNextBlockTimestamp", timed.view.deadline)
    send(host, "claimTimeout", timed.match)

    assert set(spent) == set(limits)
    for function, gas in spent.items():
        assert gas * 5 // 4 <= limits[function], "the limit must also cover the calls to the session key registry"
