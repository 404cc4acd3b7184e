"""Gas within the figures of the rules sheet. The draws are the same in each run, and so is the gas."""

from __future__ import annotations

from tests.contracts.deployed import Contract
from tests.contracts.table import Table

CONTRACT = "ToucheCoule"
SHIPS = 32


def test_gas_of_a_match_on_50x50(game: Contract) -> None:
    """All in one story, as each call needs the ones before it."""
    table = Table(game, 50, 50)
    registered = [table.register(player).gas for player in range(SHIPS // 2) for _ in range(2)]
    assert max(registered) <= 185_000
    refused = table.anvil.send(table.accounts[0], game.address, game.data("register(uint48)", table.match))
    assert int(refused["gasUsed"], 16) <= 30_000

    table.start()
    spent = allowed = 0
    for _ in range(20):
        afloat = sum(boat.afloat for boat in table.view.ships)
        gas = table.turn(_alive(table)).gas
        assert gas <= 60_000 + 60_000 * afloat
        spent += gas
        allowed += 45_000 + 26_000 * afloat
    assert spent <= allowed

    moves = []
    for player in range(SHIPS // 2):
        if any(table.boat(ship).afloat for ship in (2 * player + 1, 2 * player + 2)):
            table.anvil.mine()
            moves.append(table.send(player, "changePosition").gas)
    assert max(moves) <= 140_000


def test_gas_of_communicate_after_10_turns(game: Contract) -> None:
    table = Table(game, 50, 50, 2, 2, 2, 2)
    table.start()
    table.turns(10)
    both = [player for player in range(4) if table.boat(2 * player + 1).afloat and table.boat(2 * player + 2).afloat]
    assert len(both) >= 2
    assert max(table.send(player, "communicate").gas for player in both) <= 330_000


def _alive(table: Table) -> int:
    return next(player for player in range(SHIPS // 2) if table.boat(2 * player + 1).afloat)
