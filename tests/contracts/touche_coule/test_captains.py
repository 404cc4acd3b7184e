"""Tests that captains can harm only their owners. A captain is a contract in which a player
programs how a ship fires.

- Given a match in which captains take part
  - When a captain reverts, burns its gas, has lost its code, or returns malformed or huge data
    - The captain's ship should miss, and all other ships should fire
  - When a captain calls a function that changes the game's state
    - The contract's lock should reject the call, and the events should be numbered without gaps
  - When the caller of a turn gives little gas
    - The turn should fail. In a turn that succeeds, no captain should lack gas
  - When 256 captains use all the gas that they are allowed
    - The turn should still fit into one transaction
  - When a ship has one of the ready-made captains
    - The captain should fire as its description says, for every owner
    - The captain should learn only from calls by the same game
"""

from __future__ import annotations

import pytest

from contracts.artifacts import load
from indexer.games.touche_coule import GAME
from tests.contracts.support import bytecode
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.contract import Contract, Reverted, deploy
from tests.contracts.support.matches.touche_coule import DRAW, ToucheCouleTable, selector, shots

CONTRACT = "ToucheCoule"
MISSES = {
    "reverts": bytecode.REVERTS,
    "reverts with 100 kB": bytecode.REVERTS_HUGE,
    "returns 100 kB": bytecode.RETURNS_HUGE,
    "burns all its gas": bytecode.BURNS,
    "invalid": bytecode.INVALID,
    "answers nothing": bytecode.STOPS,
    "31 bytes": bytecode.answers(5, 31),
    "33 bytes": bytecode.answers(5, 33),
    "64 bytes": bytecode.answers(5, 64),
    "outside the board": bytecode.answers(4096),
    "no uint16": bytecode.answers(1 << 16 | 5),
    "negative": bytecode.answers(2**256 - 1),
    "destroys itself": bytecode.SELF_DESTRUCTS,
}


@pytest.mark.anvil  # only Anvil has real gas costs
@pytest.mark.parametrize("code", MISSES.values(), ids=MISSES.keys())
def test_bad_captain_misses_and_stops_nobody(game: Contract, code: str) -> None:
    table = ToucheCouleTable(game, 64, 64, 1, 1, captains=True)
    table.register_captain_code(2, code)
    table.register(3)
    table.start()
    for turn in (1, 2):
        seq = table.view.seq
        receipt = table.turn()
        assert set(shots(receipt)) >= {1, 2, 4} - {hit["ship"] for hit in receipt.named("Touched")}
        assert 3 not in shots(receipt)
        assert [event.seq for event in receipt.events] == list(range(seq + 1, seq + 1 + len(receipt.events)))
        assert receipt.gas < 60_000 + 60_000 * 4, turn
    assert table.ship_view(3).captain != table.ship_view(1).captain


def test_captain_without_code_is_refused_and_one_that_lost_it_misses(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, captains=True)
    nobody = table.accounts[9]
    with pytest.raises(Reverted) as caught:
        table.call(1, "register(uint48,address)", nobody)
    assert caught.value == Reverted("NoCode", nobody)
    captain = table.register_captain_code(1, bytecode.answers(table.ship_view(1).cell))
    table.node.rpc("anvil_setCode", captain, "0x")
    table.start()
    assert set(shots(table.turn())) == {1}


def test_captains_are_refused_where_the_match_is_for_built_in_ships(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12)
    with pytest.raises(Reverted) as caught:
        table.register_captain_code(0, bytecode.STOPS)
    assert caught.value == Reverted("CaptainsNotAllowed", table.match)


def test_captain_can_hit_neither_itself_nor_its_ally(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, captains=True)
    captains = [table.register_captain_code(player, bytecode.STOPS) for player in (0, 0, 1)]
    first, second, rival = (ship.cell for ship in table.view.ships)
    table.start()
    for target, legal in ((first, False), (second, False), (rival, True)):
        for captain in captains[:2]:
            table.node.rpc("anvil_setCode", captain, bytecode.answers(target))
        assert (set(shots(table.turn())) == {1, 2}) == legal


ENTRIES = (
    ("create", 12, 12, True),
    ("register(uint48)", 1),
    ("register(uint48,address)", 1, "0x" + 40 * "1"),
    ("turn", 1, 1),
    ("changePosition", 1),
    ("communicate", 1),
    ("expire", 1),
)


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry[0] for entry in ENTRIES])
def test_captain_can_enter_nothing_while_the_volley_runs(game: Contract, entry: tuple[object, ...]) -> None:
    name, *args = entry
    table = ToucheCouleTable(game, 12, 12, 1, 1, captains=True)
    if name != "create":
        args[0] = table.match
    captain = table.register_captain_code(2, bytecode.STOPS)
    target = next(cell for cell in range(4) if cell not in {ship.cell for ship in table.view.ships})
    calls = bytecode.calls(game.address, game.data(str(name), *args), answer=target)
    table.node.rpc("anvil_setCode", captain, calls)
    table.start()
    seq, matches = table.view.seq, game.call("matchRange")
    receipt = table.turn()
    outcome = int(table.node.rpc("eth_getStorageAt", captain, "0x0", "latest"), 16)
    locked = int(selector("ReentrancyGuardReentrantCall()"), 16)
    assert outcome == locked << 8 | 1, "the lock must reject the call"
    assert [event.seq for event in receipt.events] == list(range(seq + 1, seq + 1 + len(receipt.events)))
    assert (table.view.seq, game.call("matchRange")) == (seq + len(receipt.events), matches)
    assert shots(receipt)[3] == target


def test_every_entry_that_changes_state_is_among_those_tried(game: Contract) -> None:
    entries = {item["name"] for item in game.abi if item["type"] == "function" and item["stateMutability"] != "view"}
    assert entries == {str(entry[0]).split("(")[0] for entry in ENTRIES}


def test_captain_may_look_while_the_volley_runs(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, 1, captains=True)
    data = game.data("occupied", table.match, 0)
    captain = table.register_captain_code(2, bytecode.calls(game.address, data, answer=0))
    table.start()
    table.turn()
    assert int(table.node.rpc("eth_getStorageAt", captain, "0x0", "latest"), 16) & 0xFF == 2


@pytest.mark.anvil  # only Anvil has real gas costs
def test_little_gas_starves_no_captain(game: Contract) -> None:
    """Tests that the whole turn fails if it has too little gas for its captains. In a turn that
    succeeds, no captain runs short of gas."""
    table = ToucheCouleTable(game, 64, 64, 2, captains=True)
    for player in (1, 1, 2, 2):
        table.register_captain_code(player, bytecode.works_until(1_000, answer=0))
    table.start()
    outcomes = set()
    for gas in range(60_000, 420_000, 9_000):
        table.node.mine()
        try:
            assert {3, 4, 5, 6} <= set(shots(table.send(0, "turn", table.view.ply, gas=gas)))
            outcomes.add("carried out")
        except Reverted as error:
            outcomes.add(error.name)
    assert outcomes >= {"carried out", "NotEnoughGas"}


@pytest.mark.anvil  # only Anvil has real gas costs
def test_256_captains_that_use_all_they_may_fit_into_a_transaction(game: Contract) -> None:
    """Tests the most expensive turn. All captains use nearly all the gas that they are allowed,
    give valid answers and sink each other."""
    table = ToucheCouleTable(game, 64, 64, captains=True)
    captains = [table.register_captain_code(ship // 2, bytecode.STOPS) for ship in range(256)]
    with pytest.raises(Reverted) as caught:
        table.call(130, "register(uint48)")
    assert caught.value == Reverted("MatchFull", 256)
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


def test_the_captains_that_are_tried_here_are_the_ready_ones() -> None:
    assert GAME.companions == ("AimCaptain", "SweepCaptain")


@pytest.mark.parametrize("side", [12, 64])
def test_aim_hits_a_rival_and_never_its_ally(game: Contract, side: int) -> None:
    """Tests two owners who use the same captain contract. On the largest board, the captain has
    enough gas for only half of the cells."""
    aim = deploy(game.node, load("AimCaptain")).address
    table = ToucheCouleTable(game, side, side, captains=True)
    for player in (0, 0, 1, 1):
        table.register(player, aim)
    cells = {number: ship.cell for number, ship in enumerate(table.view.ships, start=1)}
    table.start()
    fired = shots(table.turn())
    rivals = {1: {cells[3], cells[4]}, 2: {cells[3], cells[4]}, 3: {cells[1], cells[2]}, 4: {cells[1], cells[2]}}
    assert all(target in rivals[ship] for ship, target in fired.items())
    assert len(fired) == 4 or side == 64


def test_two_ships_of_a_sweep_never_fire_at_one_cell(game: Contract) -> None:
    sweep = deploy(game.node, load("SweepCaptain")).address
    table = ToucheCouleTable(game, 64, 64, captains=True)
    for player in (0, 0, 1):
        table.register(player, sweep)
    table.start()
    fired = [shots(receipt) for receipt in table.turns(20)]
    swept = [one[ship] for one in fired for ship in (1, 2)]
    assert len(set(swept)) == len(swept) == 40
    assert len({one[3] for one in fired}) == 20, "each owner must have a separate map"


def test_a_sweep_begins_anew_when_all_is_swept(game: Contract) -> None:
    sweep = deploy(game.node, load("SweepCaptain"))
    caller = game.node.accounts[0]
    orders = (1, 1, caller, 1, 2, 2, 0, 65535, bytes(32))
    fired = []
    for _ in range(6):
        fired.append(sweep.call("fire", orders, sender=caller))
        sweep.send(caller, "fire", orders)
    assert set(fired[:3]) == set(fired[3:]) == {1, 2, 3}


def test_nobody_else_crosses_out_cells_of_a_sweep(game: Contract) -> None:
    """A captain treats each contract that calls it as a separate game. Tests that a stranger's
    orders don't change the captain's memory of the real game."""
    sweep = deploy(game.node, load("SweepCaptain"))
    stranger = game.node.accounts[3]
    orders = (1, 1, game.node.accounts[0], 1, 2, 2, 0, 65535, bytes(32))
    before = sweep.call("fire", orders, sender=game.address)
    sweep.send(stranger, "fire", orders)
    assert sweep.call("fire", orders, sender=stranger) != before
    assert sweep.call("fire", orders, sender=game.address) == before
