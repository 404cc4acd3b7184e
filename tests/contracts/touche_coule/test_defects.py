"""Tests that our Touché Coulé contract has none of the defects of an earlier implementation
(section 1.5 of the game's rules).

`mutation/mutants.py` plants each defect in a copy of the contract, and shows that the test with the
defect's name fails.
"""

from __future__ import annotations

import pytest

from contracts.artifacts import load
from tests.contracts.support import bytecode
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.touche_coule import (
    ALL_FIRED,
    DRAW,
    FINISHED,
    NOBODY,
    PLAYING,
    WON,
    ToucheCouleTable,
    play_without_hits,
    shots,
)
from tests.contracts.support.node import Node

CONTRACT = "ToucheCoule"


def test_defect_01_idle_player_does_not_freeze_the_game(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, 1, 1)
    table.start()
    table.turns(12)
    assert table.view.ply == 13


def test_defect_02_nobody_but_the_game_changes_a_ship(node: Node, game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, 1)
    table.start()
    table.turns(3)
    before = table.map(1)
    ship = Contract(node, load("Ship"), table.address(1))
    orders = (table.match, 1, node.accounts[0], 4, 1, 1, 0, 0xFFFF, bytes(32))
    outsider, owner = node.accounts[7], node.accounts[0]
    for sender in (outsider, owner):
        for call in (("fire", orders), ("moved", before.index(2)), ("learn", [ALL_FIRED], 0)):
            with pytest.raises(Reverted) as caught:
                ship.send(sender, *call)
            assert caught.value == Reverted("NotTheGame", sender)
    assert table.map(1) == before


def test_defect_02_a_rivals_ship_is_no_captain(game: Contract) -> None:
    """A player can name the contract of an opponent's ship as a captain. The game then sends orders
    to that ship, which obeys the game. Tests that these orders don't make the ship fire."""
    table = ToucheCouleTable(game, 12, 12, 1, captains=True)
    table.register(1, table.address(1))
    table.start()
    fired = shots(table.turn())
    assert set(fired) == {1}
    assert table.map(1).count(2) == 1


def test_defect_03_ships_count_from_1_and_the_number_is_no_factor(game: Contract) -> None:
    first_shots = set()
    for _ in range(6):
        table = ToucheCouleTable(game, 64, 64, 1, 1)
        table.start()
        fired = shots(table.turn())
        assert set(fired) == {1, 2}
        first_shots.add(fired[1])
    assert len(first_shots) >= 5, "a product with 0 draws the same cell in each match"


@pytest.mark.anvil  # only Anvil has real gas costs
def test_defect_04_a_full_map_costs_no_search(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, 2, 2)
    table.start()
    for ship in (1, 2, 3, 4):
        for word in range(16):
            table.set_fired(ship, word, ALL_FIRED)
    receipt = table.turn()
    assert receipt.gas < 60_000 + 4 * 60_000
    assert set(shots(receipt)) == {1, 2, 3, 4}
    assert all(table.map(ship).count(2) > 14 * 256 for ship in (1, 2, 3, 4)), "each ship must forget only one word"


@pytest.mark.parametrize(("width", "height"), [(10, 10), (7, 4), (2, 2)])
def test_defect_05_every_cell_can_be_taken(game: Contract, width: int, height: int) -> None:
    cells = width * height
    table = ToucheCouleTable(game, width, height, *[2] * (cells // 2))
    assert {ship.cell for ship in table.view.ships} == set(range(cells))
    with pytest.raises(Reverted) as caught:
        table.call(cells // 2, "register(uint48)")
    assert caught.value == Reverted("NoFreeCell", cells)


def test_defect_06_a_sunk_ship_leaves_its_cell(game: Contract) -> None:
    table = ToucheCouleTable(game, 2, 2, 1, 1, captains=True)
    target = table.ship_view(2).cell
    table.register_captain_code(0, bytecode.answers(target))
    table.register(2)
    table.start()
    receipt = table.turn()
    assert 2 in [sunk["ship"] for sunk in receipt.named("Touched")]
    assert table.game.call("occupied", table.match, 0) >> target & 1 == 0


def test_defect_06_nothing_is_touched_twice(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, 1, 1, 1, captains=True)
    target = table.ship_view(2).cell
    captain = table.register_captain_code(0, bytecode.answers(target))
    table.start()
    first = table.turn()
    assert [(hit["ship"], hit["by"]) for hit in first.named("Touched")] == [(2, 4)]
    second = table.turn()
    assert shots(second)[4] == target
    assert not second.named("Touched")
    assert set(shots(second)) == {1, 3, 4}, "the sunk ship must not fire again"
    assert table.ship_view(4).captain == captain


def test_defect_07_x_runs_along_the_width(game: Contract) -> None:
    table = ToucheCouleTable(game, 7, 4)
    placed = [table.register(player).named("Registered")[0] for player in range(14) for _ in range(2)]
    assert {(ship["x"], ship["y"]) for ship in placed} == {(x, y) for x in range(7) for y in range(4)}
    assert [ship["y"] * 7 + ship["x"] for ship in placed] == [ship.cell for ship in table.view.ships]
    table.start()
    receipt = table.turn()
    for sunk in receipt.named("Touched"):
        assert sunk["y"] * 7 + sunk["x"] == table.ship_view(sunk["ship"]).cell
    assert len(table.map(1)) == 28


def test_defect_08_no_ship_fires_at_its_ally(game: Contract) -> None:
    """Tests a board of 2 x 2 cells, on which two allies may fire only at the two cells that neither
    of them occupies. This must hold when the map is full, and before the map contains the ally's
    cell."""
    for _ in range(6):
        table = ToucheCouleTable(game, 2, 2, 2, 1)
        own = {table.ship_view(1).cell, table.ship_view(2).cell}
        table.start()
        while table.view.status == PLAYING and table.ship_view(1).afloat and table.ship_view(2).afloat:
            fired = shots(table.turn())
            assert not own & {fired[1], fired[2]}


def test_defect_08_an_ally_that_moved_is_known_where_it_is(game: Contract) -> None:
    afloat = False
    while not afloat:  # in about one of 130 tries, one of the two ships is hit
        table = ToucheCouleTable(game, 64, 64, 2, 1)
        table.start()
        table.turns(4)
        afloat = table.ship_view(1).afloat and table.ship_view(2).afloat
    assert table.map(1).index(3) == table.ship_view(2).cell
    table.node.mine()
    table.send(0, "changePosition")
    assert table.map(1).count(3) == 1
    assert table.map(1).index(3) == table.ship_view(2).cell


def test_defect_09_two_ships_of_one_owner_fire_for_themselves(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, 2, 1)
    table.start()
    volleys = [shots(receipt) for receipt in table.turns(8)]
    assert sum(volley[1] == volley[2] for volley in volleys) <= 1


def test_defect_12_an_outsider_plays_no_turn(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, 1)
    with pytest.raises(Reverted) as caught:
        table.call(5, "turn", 0)
    assert caught.value == Reverted("NotAPlayer", table.match, table.accounts[5])
    table.start()
    table.node.mine()
    with pytest.raises(Reverted) as caught:
        table.call(5, "turn", 1)
    assert caught.value == Reverted("NotAPlayer", table.match, table.accounts[5])


@pytest.mark.anvil  # only Anvil can mine two transactions in a block
def test_defect_12_no_two_turns_in_a_block_nor_in_the_next(node: Node, game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, 1)
    start = table.start().height
    with pytest.raises(Reverted) as caught:
        table.call(0, "turn", 1)
    assert caught.value == Reverted("TooSoon", start + 1, start + 2)
    node.mine()
    first, second = _in_one_block(table, ("turn", 1), ("turn", 2))
    assert (first, second) == (1, 0)
    assert table.view.ply == 2


def _in_one_block(table: ToucheCouleTable, *calls: tuple[str, int]) -> list[int]:
    node = table.node
    node.rpc("evm_setAutomine", False)
    try:
        sent = [
            node.rpc(
                "eth_sendTransaction",
                {
                    "from": table.accounts[0],
                    "to": table.game.address,
                    "data": table.game.data(name, table.match, number),
                    "gas": hex(2_000_000),
                },
            )
            for name, number in calls
        ]
        node.mine()
    finally:
        node.rpc("evm_setAutomine", True)
    receipts = [node.rpc("eth_getTransactionReceipt", each) for each in sent]
    assert len({receipt["blockNumber"] for receipt in receipts}) == 1
    return [int(receipt["status"], 16) for receipt in receipts]


def test_defect_13_registration_closes_with_the_first_turn(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 1, 1)
    table.start()
    with pytest.raises(Reverted) as caught:
        table.call(2, "register(uint48)")
    assert caught.value == Reverted("WrongStatus", table.match, PLAYING, 1)


def test_defect_13_the_last_owner_afloat_wins(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, 1, 1, captains=True)
    table.register_captain_code(0, bytecode.answers(table.ship_view(2).cell))
    table.start()
    receipt = table.turn()
    winner = table.accounts[0]
    assert [event.name for event in receipt.events] == ["Fired", "Touched", "TurnPlayed", "MatchEnded"]
    assert receipt.named("MatchEnded") == [{"winner": winner, "reason": WON}]
    view = table.view
    assert (view.status, view.reason, view.winner) == (FINISHED, WON, winner)
    for call in (("turn", view.ply), ("changePosition",), ("communicate",), ("expire",)):
        with pytest.raises(Reverted) as caught:
            table.call(0, *call)
        assert caught.value == Reverted("WrongStatus", table.match, FINISHED, PLAYING)


def test_defect_13_nobody_wins_when_all_sink_at_once(game: Contract) -> None:
    table = ToucheCouleTable(game, 64, 64, captains=True)
    captains = [table.register_captain_code(player, bytecode.STOPS) for player in (0, 1)]
    for captain, target in zip(captains, (table.ship_view(2).cell, table.ship_view(1).cell), strict=True):
        table.node.rpc("anvil_setCode", captain, bytecode.answers(target))
    table.start()
    receipt = table.turn()
    assert len(receipt.named("Touched")) == 2, "a ship that is sunk in a volley must still fire in that volley"
    assert receipt.named("MatchEnded") == [{"winner": NOBODY, "reason": DRAW}]
    assert table.view.winner == NOBODY


@pytest.mark.anvil  # only Anvil has real gas costs
def test_defect_14_a_refused_ship_costs_little(game: Contract) -> None:
    table = ToucheCouleTable(game, 50, 50, 2)
    raw = table.node.send(table.accounts[0], game.address, game.data("register(uint48)", table.match))
    assert int(raw["status"], 16) == 0
    assert int(raw["gasUsed"], 16) <= 30_000


@pytest.mark.anvil  # only Anvil has real gas costs
def test_defect_15_communicate_is_cheap_on_a_large_board(game: Contract) -> None:
    table = play_without_hits(game, 10)
    assert table.send(0, "communicate").gas <= 330_000


def test_defect_15_communicate_gives_each_what_the_other_knew(game: Contract) -> None:
    table = play_without_hits(game, 6)
    first, second = table.map(1), table.map(2)
    both = {cell for codes in (first, second) for cell, code in enumerate(codes) if code == 2}
    table.send(0, "communicate")
    for ship in (1, 2):
        known = {cell for cell, code in enumerate(table.map(ship)) if code == 2}
        assert known == both - {table.ship_view(1).cell, table.ship_view(2).cell}
    with pytest.raises(Reverted) as caught:
        table.call(0, "communicate")
    assert caught.value == Reverted("NothingToTell", 1, 2)
