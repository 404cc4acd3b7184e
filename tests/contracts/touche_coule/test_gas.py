"""Tests that calls stay within the gas limits in Touché Coulé's rules. In each run, the random
draws and the gas are the same."""

from __future__ import annotations

import pytest
from eth_abi import encode
from eth_utils import keccak

from tests.contracts.support import bytecode
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.contract import Contract, ContractReceipt
from tests.contracts.support.matches.touche_coule import DRAW, PLAYING, ToucheCouleTable, shots
from tests.contracts.touche_coule import gas_limits

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "ToucheCoule"
SHIPS = 32
AFLOAT_SLOT = 5
"""The number of the storage slot that contains the contract's variable `_afloat`."""


def test_gas_of_a_match_on_50x50(game: Contract) -> None:
    table = ToucheCouleTable(game, 50, 50)
    registered = [table.register(player).gas for player in range(SHIPS // 2) for _ in range(2)]
    assert max(registered) <= 185_000
    rejected = table.node.send(table.accounts[0], game.address, game.data("register(uint48)", table.match))
    assert int(rejected["gasUsed"], 16) <= 30_000

    table.start()
    spent = allowed = 0
    for _ in range(20):
        afloat = sum(ship.afloat for ship in table.view.ships)
        gas = table.turn(_alive(table)).gas
        assert gas <= 60_000 + 60_000 * afloat
        spent += gas
        allowed += 45_000 + 26_000 * afloat
    assert spent <= allowed

    moves = []
    for player in range(SHIPS // 2):
        if any(table.ship_view(ship).afloat for ship in (2 * player + 1, 2 * player + 2)):
            table.node.mine()
            moves.append(table.send(player, "changePosition").gas)
    assert max(moves) <= 140_000


@pytest.mark.parametrize("side", [10, 50, 64])
def test_gas_of_communicate_after_10_turns(game: Contract, side: int) -> None:
    """Tests boards of several sizes, although the game's rules have a limit only for 50 x 50 cells.
    For each board, this test calculates a limit from the storage words that the call writes."""
    table = ToucheCouleTable(game, side, side, 2, 2, 2, 2)
    table.start()
    for _ in range(10):
        _turn(table)
    both = [
        player
        for player in range(4)
        if table.ship_view(2 * player + 1).afloat and table.ship_view(2 * player + 2).afloat
    ]
    assert len(both) >= 1
    for player in both:
        limit = gas_limits.communicate(table, 2 * player + 1, 2 * player + 2)
        gas = table.send(player, "communicate").gas
        assert 0.97 * limit <= gas <= limit, "`gas_limits` must explain nearly all the gas"
        assert gas <= 330_000 or side > 50


@pytest.mark.parametrize(("side", "ships"), [(5, 24), (10, 100), (64, 8)])
def test_gas_of_a_turn_on_full_and_on_large_boards(game: Contract, side: int, ships: int) -> None:
    table = ToucheCouleTable(game, side, side, *ships // 2 * [2])
    table.start()
    book, floor = gas_limits.FirstShotsInWords(), 0.9
    for _ in range(8):
        view = table.view
        if view.status != PLAYING:
            break
        afloat = sum(ship.afloat for ship in view.ships)
        receipt = _turn(table)
        limit = gas_limits.turn(receipt, afloat, ships, book.fresh(receipt))
        assert floor * limit <= receipt.gas <= limit
        assert receipt.gas <= 60_000 + 60_000 * afloat, "the gas must stay within the gateway's limit for wallets"


def test_gas_of_a_turn_of_few_among_many_that_are_sunk(game: Contract) -> None:
    """The gateway suggests a gas limit to wallets. Tests that this limit counts only the ships that
    are afloat."""
    table = ToucheCouleTable(game, 64, 64, *128 * [2])
    table.start()
    slot = int(keccak(encode(["uint48", "uint256"], [table.match, AFLOAT_SLOT])).hex(), 16)
    table.node.rpc("anvil_setStorageAt", game.address, f"0x{slot:064x}", f"0x{1 << 255 | 1:064x}")
    assert sum(ship.afloat for ship in table.view.ships) == 2
    assert table.turn().gas <= 60_000 + 60_000 * 2


def test_256_captains_that_use_all_they_may_fit_into_a_transaction(game: Contract) -> None:
    """Tests the most expensive turn. All captains use nearly all the gas that they are allowed,
    give valid answers and sink each other."""
    table = ToucheCouleTable(game, 64, 64, captains=True)
    captains = [table.register_captain_code(ship // 2, bytecode.STOPS) for ship in range(256)]
    cells = [ship.cell for ship in table.view.ships]
    for ship, captain in enumerate(captains):
        code = bytecode.works_until(150, answer=cells[(ship + 2) % 256])
        table.node.rpc("anvil_setCode", captain, code)
    table.start()
    table.node.mine()
    with pytest.raises(AnvilError, match="cap"):
        table.send(0, "turn", 1, gas=2**24 + 1)
    receipt = table.send(0, "turn", 1, gas=2**24)
    assert len(shots(receipt)) == len(receipt.named("Touched")) == 256
    assert receipt.gas > 256 * 40_000
    assert receipt.named("MatchEnded")[0]["reason"] == DRAW
    assert receipt.gas <= 60_000 + 256 * 60_000


def _turn(table: ToucheCouleTable) -> ContractReceipt:
    owner = next(ship.owner for ship in table.view.ships if ship.afloat)
    return table.turn(table.accounts.index(owner))


def _alive(table: ToucheCouleTable) -> int:
    return next(player for player in range(SHIPS // 2) if table.ship_view(2 * player + 1).afloat)
