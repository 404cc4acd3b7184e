"""Tests that the Conquest contract has none of the original game's defects, which Conquest's rules
list. Also tests that it has no defects that concern random draws, seats or maps.

`mutation/mutants.py` plants each defect in a copy of the contract, and shows that the test with the
defect's name fails.

- Given a match
  - When a player makes a call that is illegal, but that the original game would accept
    - The contract should reject the call
  - When a player makes a legal call that has no effect in the original game
    - The call should have its effect, whoever settles the random draw, and whenever they do
"""

from __future__ import annotations

from typing import Any

import pytest

from contracts.artifacts import load
from indexer.rules.conquest_state.chance import Chance
from indexer.rules.conquest_state.state import ACTION, CAPITAL, MOVE, NONE, REINFORCEMENT
from tests.contracts.support.conquest.storage import table_at, write_state
from tests.contracts.support.conquest.worst import crossed
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import FINISHED, NOBODY, PLAYING, SEED, ConquestTable
from tests.contracts.support.session_keys import FOR_LONG, funded_account, offer_and_accept
from tests.support.conquest.maps import graph_bytes, row_of_lands
from tests.support.conquest.states import item_appears, item_is, position

CONTRACT = "Conquest"
ROW = row_of_lands(8)
TWELVE = row_of_lands(12)
SHORE = graph_bytes(8, [(land, land + 1) for land in range(7)], [[0, 5, 7]])
LAST_PLY = 5_000


def pairs(*lands: int) -> str:
    return "0x" + bytes(lands).hex()


def battles(table: ConquestTable) -> list[dict[str, Any]]:
    """Settle the launched attacks. Return the arguments of each `BattleResolved` event."""
    return [args for name, args in table.settle() if name == "BattleResolved"]


def nothing(chance: Chance) -> bool:
    """Return True if a random draw with this seed produces no item."""
    return chance.number(0) % 100 >= 12


# ---- defect 01: attacks


def test_defect_01_attacks_are_launched_together(game: Contract) -> None:
    table = table_at(game, crossed(96), [[0, *range(50, 96)], range(1, 50)], ports=[0], soldiers=[99_999, *[0] * 95])
    table.send_command("attack", pairs=pairs(*(land for target in range(2, 18) for land in (0, target))))
    assert [one["conquered"] for one in battles(table)] == [True] * 16


def test_defect_01_a_skipped_attack_does_nothing(game: Contract) -> None:
    table = table_at(game, ROW, [[1, 3], [2, 0, 7]], soldiers=[1, 50, 1, 41, 0, 0, 0, 0], capitals=[1, 7])
    table.send_command("attack", pairs=pairs(1, 2, 3, 2))
    first, second = battles(table)
    assert (first["conquered"], second["luck"], second["damage"]) == (True, 0, 0)
    assert table.view["soldiers"][:4] == [1, 50, 0, 41]


def test_defect_01_an_equal_attack_is_refused(game: Contract) -> None:
    table = table_at(game, ROW, [[1], [2, 7]], soldiers=[0, 40, 40, 0, 0, 0, 0, 0], capitals=[1, 7])
    assert table.expect_revert(table.mover, "attack", **table.named(), pairs=pairs(1, 2)) == Reverted(
        "NotStronger", 0, 800, 800
    )


# ---- defect 02: items


def test_defect_02_items_appear(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    table.send_command("pass", phaseOnly=False)
    table.settle(item_appears)
    assert [one["turns"] for one in table.view["items"]] == [4]


def test_defect_02_an_item_expires(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]], items={3: False})
    for turns in (3, 2, 1):
        table.send_command("pass", phaseOnly=False)
        table.settle(nothing)
        assert [one["turns"] for one in table.view["items"]] == [turns]
    table.send_command("pass", phaseOnly=False)
    assert ("ItemExpired", {"land": 3}) in table.settle(nothing)


# ---- defect 03: chance


def launched(game: Contract) -> ConquestTable:
    table = table_at(game, ROW, [[1], [2, 7]], soldiers=[0, 90, 60, 0, 0, 0, 0, 0], capitals=[1, 7])
    table.send_command("attack", pairs=pairs(1, 2))
    return table


def test_defect_03_the_same_dice_fall_for_whoever_settles_whenever(game: Contract) -> None:
    table, seen = launched(game), []
    table.wait()
    for blocks, sender in ((0, table.stranger), (3, table.accounts[1]), (40, table.accounts[0])):
        snapshot = game.node.rpc("evm_snapshot")
        game.node.mine(blocks) if blocks else None
        seen.append([event.args for event in game.send(sender, "settle", table.match).events])
        game.node.rpc("evm_revert", snapshot)
    assert seen[0] == seen[1] == seen[2]


def test_defect_03_nobody_knows_luck_before_the_next_block(game: Contract) -> None:
    """Tests that the luck depends on the block after the command's block. The player who sends the
    command could already know all earlier blocks."""
    table = launched(game)
    anchor = table.receipt.height
    table.settle()
    assert table.receipt.named("Drawn")[0]["entropyBlock"] == anchor + 1
    block = game.node.rpc("eth_getBlockByNumber", hex(anchor + 1), False)
    assert table.receipt.named("Drawn")[0]["seed"] == block["hash"]


def test_defect_03_a_draw_waits_for_its_block(game: Contract) -> None:
    table = launched(game)
    height = table.receipt.height
    assert table.expect_revert(table.stranger, "settle") == Reverted("TooSoon", height + 1, height + 2)


def test_defect_03_a_forgotten_block_brings_the_least_luck(game: Contract) -> None:
    table = launched(game)
    table.keeps_hash = lambda _height: False
    snapshot = game.node.rpc("evm_snapshot")
    code = game.node.rpc("eth_getCode", HISTORY, "latest")
    game.node.mine(300)
    game.node.rpc("anvil_setCode", HISTORY, "0x")
    assert [one["luck"] for one in battles(table)] == [80]
    game.node.rpc("evm_revert", snapshot)
    game.node.rpc("anvil_setCode", HISTORY, code)


HISTORY = "0x0000F90827F1C53a10cb7A02335B175320002935"


def test_defect_03_a_command_is_for_one_trail(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    named = {**table.named(), "trail": 1}
    assert table.expect_revert(table.mover, "pass", **named, phaseOnly=True) == Reverted("OtherPosition", 0, 1)


# ---- defect 04: the targets of attacks


def test_defect_04_a_distant_attack_needs_no_way(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7, 4]], used={1}, soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    table.send_command("attack", pairs=pairs(0, 4))
    assert [one["conquered"] for one in battles(table)] == [True]


def test_defect_04_an_attack_needs_a_way(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7, 4]], soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    assert table.expect_revert(table.mover, "attack", **table.named(), pairs=pairs(0, 4)) == Reverted(
        "NotConnected", 0, 4
    )


def test_defect_04_a_capture_needs_a_way(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    arguments = {**table.named(), "from": 0, "to": 4}
    assert table.expect_revert(table.mover, "capture", **arguments) == Reverted("NotConnected", 0, 4)


def test_defect_04_a_capital_is_not_taken_from_afar(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7, 4]], used={1}, soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    assert table.expect_revert(table.mover, "attack", **table.named(), pairs=pairs(0, 7)) == Reverted(
        "NotConnected", 0, 7
    )


# ---- defect 05: strength that attacks share


def test_defect_05_full_power_is_not_shared(game: Contract) -> None:
    soldiers = [9, 45, 30, 0, 0, 0, 0, 9]
    table = table_at(game, ROW, [[1], [2, 0, 7]], used={2}, soldiers=soldiers, capitals=[1, 7])
    table.send_command("attack", pairs=pairs(1, 0, 1, 2))
    assert [(one["attack20"], one["needed20"]) for one in battles(table)] == [(900, 180), (900, 600)]


def test_defect_05_shared_power_is_divided(game: Contract) -> None:
    table = table_at(game, ROW, [[1], [2, 0, 7]], soldiers=[9, 45, 30, 0, 0, 0, 0, 9], capitals=[1, 7])
    arguments = {**table.named(), "pairs": pairs(1, 0, 1, 2)}
    assert table.expect_revert(table.mover, "attack", **arguments) == Reverted("NotStronger", 1, 900, 1200)


# ---- defect 06: immediate items


def captured(game: Contract, item: int) -> ConquestTable:
    """Return a match in which seat 0 has captured land 2 and collected the item on it."""
    table = table_at(game, ROW, [[0, 1], [7, 6]], items={2: item == 8}, soldiers=[50, 9, 9, 9, 9, 9, 40, 9])
    table.send_command("capture", **{"from": 1, "to": 2})
    if item != 8:
        table.settle(lambda chance: item_is(chance, item))
    return table


def test_defect_06_a_land_is_lost(game: Contract) -> None:
    table = captured(game, 7)
    assert table.receipt.named("LandsTaken")[0]["to"] == NONE
    assert len(table.state.lands(0)) == 2


def test_defect_06_the_fat_item_takes_the_largest_land(game: Contract) -> None:
    table = captured(game, 8)
    assert (table.state.lands(0), table.state.lands(1)) == ([0, 1, 2, 6], [7])


# ---- defect 07: items that a player uses


def test_defect_07_two_turns_follow_each_other(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]], stored={0: 4})
    assert table.view["stored"] == [4, 0]
    table.send_command("useItem")
    table.send_command("pass", phaseOnly=False)
    table.settle(nothing)
    assert (table.view["mover"], table.view["phase"]) == (0, REINFORCEMENT)


def test_defect_07_a_port_and_a_capture_fit_into_a_turn(game: Contract) -> None:
    table = table_at(game, SHORE, [[0], [7]], used={3})
    table.send_command("buildPort", land=0)
    assert table.view["phase"] == ACTION
    table.send_command("capture", **{"from": 0, "to": 5})
    assert (table.view["phase"], table.state.lands(0)) == (MOVE, [0, 5])


# ---- defect 08: ports


def test_defect_08_ports_are_needed_to_sail(game: Contract) -> None:
    table = table_at(game, SHORE, [[0], [7]])
    arguments = {**table.named(), "from": 0, "to": 5}
    assert table.expect_revert(table.mover, "capture", **arguments) == Reverted("NotConnected", 0, 5)


def test_defect_08_support_by_sea_needs_a_port(game: Contract) -> None:
    for ports, defence in (([], 200), ([7], 500)):
        table = table_at(game, SHORE, [[0], [7, 5]], ports=ports, soldiers=[9, 9, 9, 9, 9, 10, 9, 30])
        assert game.call("powers", table.match, 0, 5) == (180, defence)


# ---- defect 09: a seat is taken only once


def test_defect_09_seats_are_taken_once_each(game: Contract) -> None:
    table = ConquestTable(game, 3, TWELVE)
    assert table.view["players"] == table.accounts
    assert table.expect_revert(table.stranger, "join") == Reverted("WrongStatus", table.match, PLAYING, 1)


def test_defect_09_an_invitation_locks_no_key_out(game: Contract, sessions: Contract) -> None:
    owner, key = funded_account(game.node), funded_account(game.node)
    now = int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    offer_and_accept(sessions, owner, key, [game.address], now + FOR_LONG)
    table = ConquestTable(game, 3, TWELVE, invited=[NOBODY, key.address], join=False)
    table.call(owner.address, "join")
    table.call(key.address, "leave", account=owner.address)
    assert table.view["players"][1:] == [NOBODY, NOBODY]


# ---- defect 10: a capital falls


def test_defect_10_a_capital_falls_with_all_lands(game: Contract) -> None:
    table = table_at(game, TWELVE, [[0], [1, 5, 6], [11]], soldiers=[90, 5, *[9] * 10])
    table.send_command("attack", pairs=pairs(0, 1))
    table.settle()
    assert table.state.lands(0) == [0, 1, 5, 6]


def test_defect_10_a_hero_takes_half_of_all_with_him(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7, 1, 3]], heroes={1: 1}, soldiers=[90, 1, 9, 15, 9, 9, 9, 21])
    table.send_command("attack", pairs=pairs(0, 1))
    table.settle()
    assert table.view["soldiers"] == [90, 0, 9, 7, 9, 9, 9, 10]


def test_defect_10_one_hero_comes_in_a_match(game: Contract) -> None:
    types = {land: 1 + land % 5 for land in range(8)}
    graph = row_of_lands(8, types=types)
    table = table_at(game, graph, [[0, 1, 2, 3], [7]], soldiers=[9] * 8)
    table.send_command("capture", **{"from": 3, "to": 4})
    assert table.receipt.named("HeroAt") == [{"seat": 0, "land": 0}]
    for turn in range(2):
        table.send_command("pass", phaseOnly=False)
        table.settle(nothing)
        if turn:
            table.send_command("reinforce", land=0)
            table.send_command("capture", **{"from": 4, "to": 5})
            assert table.receipt.named("HeroAt") == []


# ---- defect 11: sleeping and idle players


def test_defect_11_a_sleeper_stops_nobody(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    table.late()
    table.call(table.stranger, "claimTimeout")
    assert (table.view["mover"], table.view["phase"]) == (1, REINFORCEMENT)


def test_defect_11_three_passes_in_a_row_put_a_sleeper_out(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    for passes in range(1, 4):
        table.late()
        table.wait(nothing)
        table.call(table.stranger, "claimTimeout")
        if passes < 3:
            table.send_command("pass", phaseOnly=False)
            table.wait(nothing)
    assert table.view["status"] == FINISHED


def test_defect_11_passive_players_end_in_a_draw(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    state = position(ROW, [[0], [7]])
    state.ply = LAST_PLY - 1
    write_state(table, state)
    table.send_command("pass", phaseOnly=False)
    assert table.receipt.named("MatchEnded") == [{"winner": NOBODY, "reason": 2}]


# ---- defect 12: maps


def test_defect_12_a_border_has_two_sides(game: Contract) -> None:
    graph = bytearray(ROW)
    graph[13] = 0
    terms = (bytes.fromhex(SEED[2:]), 76, 2, [], 60, 0, bytes(graph))
    with pytest.raises(Reverted) as caught:
        game.call("create", *terms)
    assert caught.value == Reverted("BadMap", 6, 1)


@pytest.mark.anvil  # only Anvil can trace transactions
def test_defect_12_a_map_is_never_run(game: Contract) -> None:
    """A map is stored as the code of a contract. Tests that this code begins with STOP, so that
    nobody can execute the map."""
    table = ConquestTable(game, 2, ROW, join=False)
    calls = game.node.rpc("debug_traceTransaction", table.receipt.raw["transactionHash"], {"tracer": "callTracer"})
    (kept,) = [call for outer in calls["calls"] for call in outer.get("calls", ()) if call["type"] == "CREATE"]
    assert game.node.rpc("eth_getCode", kept["to"], "latest") == "0x00" + ROW.hex()


def test_defect_12_only_the_game_keeps_maps(game: Contract) -> None:
    """Tests that only the game can store a map. If anybody else could store one, it would take the
    number that belongs to the next match's map."""
    store = Contract(game.node, load("ConquestMapStore"), game.call("MAPS"))
    with pytest.raises(Reverted, match="NotTheGame"):
        store.send(game.node.accounts[0], "keep", ROW, 2)


def test_capitals_are_chosen_backwards(game: Contract) -> None:
    """Tests that the player who moves first is the last to choose a capital."""
    table = ConquestTable(game, 3, TWELVE)
    table.settle()
    first, choosers = table.view["first"], []
    while table.state.phase == CAPITAL:
        choosers.append(table.state.mover)
        table.send_command("chooseCapital", land=2 * len(choosers))
    assert choosers == [(first - number) % 3 for number in range(1, 4)]
    assert table.state.mover == first
