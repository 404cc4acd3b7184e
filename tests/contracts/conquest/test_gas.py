"""Tests that calls in the most expensive positions stay within the gas limits in Conquest's rules,
and within the gas limits that the game suggests to wallets.

- Given a map with eight waters, a port and a fort on each of 96 lands, and heroes
  - When players open a match, join it and choose their capitals
    - The contract should use at most 750,000 gas to open a match with 68 lands
    - The contract should use at most 1,200,000 gas to open a match with 96 lands
    - A seat should cost at most 80,000 gas, and a capital at most 95,000 gas
  - When a player sends a command
    - A reinforcement or a surrender should cost at most 80,000 gas
    - A capture or a move should cost at most 95,000 gas
    - A command that settles a draw other than a battle should cost at most 120,000 gas more
  - When a player launches 1, 3 or 16 attacks
    - The launch should cost at most 160,000, 240,000 or 630,000 gas
    - The battles should cost at most 160,000, 255,000 or 730,000 gas
    - The fall of a capital with its hero and 48 lands should cost at most 265,000 gas
  - When each land borders every other land
    - The battles should cost no more than on other maps
    - The limit that the game suggests should suffice to open the match
  - When somebody reads the board
    - The view should cost less than 150,000 gas
- Given the gas limits that the game suggests to wallets
  - When a battle of 16 attacks is open
    - The limits should be high enough for every command
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexer.games.conquest import GAME
from indexer.rules.conquest_state.state import COLLECT, MORE, MOVE, REINFORCEMENT
from tests.contracts.support.conquest.gas import (
    BATTLE_GAS,
    BOARD,
    CAPITAL,
    CAPTURE,
    CREATE,
    DRAW,
    FALL,
    JOIN,
    LAUNCH,
    MOVED,
    REINFORCE,
    SURRENDER,
    described,
    random_receipts,
)
from tests.contracts.support.conquest.worst import (
    LANDS,
    STRONG,
    WEAK,
    before_a_turn,
    complete,
    crossed,
    dealt,
    fat_on_a_fort,
    give_attack,
    launch,
    worst_table,
)
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.conquest import ConquestTable
from tests.support.conquest.states import item_is

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "Conquest"
SECOND_HERO = 35_000
"""The additional gas at the start of a turn if the match has three or more players. The fat item
can then kill a second hero."""


def gas(table: ConquestTable) -> int:
    return table.receipt.gas


# ---- before the first turn


@pytest.mark.parametrize("lands", CREATE)
def test_gas_of_opening_a_match(game: Contract, lands: int) -> None:
    table = ConquestTable(game, 6, crossed(lands, 3), invited=game.node.accounts[1:6], join=False)
    assert gas(table) <= CREATE[lands]


@pytest.mark.parametrize("invited", [True, False])
def test_gas_until_capitals_are_chosen(game: Contract, invited: bool) -> None:
    accounts = game.node.accounts
    table = ConquestTable(game, 6, crossed(68), invited=accounts[1:6] if invited else (), join=False)
    for account in accounts[1:6]:
        table.call(account, "join")
        assert gas(table) <= JOIN
    for number in range(6):
        table.send_command("chooseCapital", land=number)
        assert gas(table) <= CAPITAL + (DRAW if number == 0 else 0)


# ---- the gas of commands


def test_gas_of_reinforcing(game: Contract) -> None:
    table = worst_table(game, phase=REINFORCEMENT)
    table.send_command("reinforce", land=95 - 1)
    assert gas(table) <= REINFORCE


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_gas_of_reinforcing_when_the_turn_brings_the_fat_item(game: Contract, seats: int) -> None:
    table = before_a_turn(game, seats)
    table.wait(fat_on_a_fort)
    table.send_command("reinforce", land=1)
    names = [event.name for event in table.receipt.events]
    assert names.count("HeroDied") == min(2, seats - 1)
    assert names.count("ItemExpired") == (3 if seats > 2 else 0)
    assert gas(table) <= REINFORCE + DRAW + (SECOND_HERO if seats > 2 else 0)


def test_gas_of_capturing(game: Contract) -> None:
    owned = [lands[:-1] for lands in dealt(2)]
    table = worst_table(game, owned=owned, items={95: False}, heroes={1: 1})
    table.send_command("capture", **{"from": 0, "to": 95})
    assert table.receipt.named("HeroAt")
    assert table.receipt.named("Phase")[0]["draw"] == COLLECT
    assert gas(table) <= CAPTURE


def test_gas_of_capturing_the_fat_item(game: Contract) -> None:
    owned = [lands[:-1] for lands in dealt(3)]
    soldiers = [WEAK] * LANDS
    soldiers[4] = soldiers[5] = 1_000
    table = worst_table(game, owned=owned, items={95: True}, heroes={0: 0, 1: 4, 2: 5}, soldiers=soldiers)
    table.send_command("capture", **{"from": 0, "to": 95})
    assert len(table.receipt.named("HeroDied")) == 2
    assert gas(table) <= CAPTURE + DRAW


def test_gas_of_moving(game: Contract) -> None:
    table = worst_table(game, phase=MOVE)
    table.send_command("move", **{"from": 0, "to": 94, "quarters": 2, "hero": True})
    assert gas(table) <= MOVED


def test_gas_of_moving_when_an_item_has_to_be_drawn(game: Contract) -> None:
    owned = [lands[:-1] for lands in dealt(2)]
    table = worst_table(game, owned=owned, items={95: False}, soldiers=[50] * LANDS)
    table.send_command("capture", **{"from": 0, "to": 95})
    table.wait(lambda chance: item_is(chance, MORE))
    table.send_command("move", **{"from": 2, "to": 92, "quarters": 2, "hero": False})
    assert len(table.receipt.named("Soldiers")[0]["changes"]) == len("0x") + 8 * len(table.state.lands(0))
    assert gas(table) <= MOVED + DRAW


def test_gas_of_surrendering(game: Contract) -> None:
    for owned in (dealt(2), [dealt(2)[0], dealt(2)[1][:24], dealt(2)[1][24:]]):
        table = worst_table(game, owned=owned)
        table.send_command("surrender")
        assert gas(table) <= SURRENDER


# ---- attacks


@pytest.mark.parametrize("count", LAUNCH)
def test_gas_of_attacks(game: Contract, count: int) -> None:
    table = worst_table(game)
    launch(table, count)
    assert gas(table) <= LAUNCH[count]
    table.settle()
    assert len(table.receipt.named("BattleResolved")) == count
    assert gas(table) <= BATTLE_GAS[count]


@pytest.mark.parametrize("count", [3, 16])
def test_gas_of_attacks_of_which_the_first_kills_the_hero(game: Contract, count: int) -> None:
    owned = dealt(2)
    table = worst_table(game, heroes={0: 0, 1: owned[1][1]})
    give_attack(table, owned[1][1 : 1 + count])
    assert gas(table) <= LAUNCH[count]
    table.settle()
    assert len(table.receipt.named("LandsTaken")) == count
    assert gas(table) <= BATTLE_GAS[count]


def test_gas_of_attacks_on_a_hostile_map(game: Contract) -> None:
    """Tests that nobody can open a match whose draws can't be settled. Everyone else's calls cost
    no more on the map with the most borders."""
    table = worst_table(game, 6, graph=complete(LANDS))
    others = [land for seat in range(1, 6) for land in table.state.lands(seat)[1:3]]
    give_attack(table, [*others, *(table.state.capitals[seat] for seat in range(1, 6))])
    assert gas(table) <= LAUNCH[16]
    table.settle()
    assert gas(table) <= BATTLE_GAS[16]
    opened = ConquestTable(game, 6, complete(LANDS), join=False)
    assert gas(opened) <= limit_of(opened, "create")


@pytest.mark.parametrize("seats", [2, 3])
def test_gas_when_a_capital_falls_with_its_hero_and_48_lands(game: Contract, seats: int) -> None:
    owned = dealt(2) if seats == 2 else [dealt(2)[0][:-1], dealt(2)[1], [94]]
    table = worst_table(game, owned=owned)
    give_attack(table, [owned[1][0]])
    table.settle()
    assert len(table.receipt.named("HeroDied")) == 1
    assert gas(table) <= FALL


def test_gas_when_five_capitals_fall_with_their_heroes(game: Contract) -> None:
    table = worst_table(game, 6)
    others = [land for seat in range(1, 6) for land in table.state.lands(seat)[1:3]]
    give_attack(table, [*others, *(table.state.capitals[seat] for seat in range(1, 6))])
    table.settle()
    assert len(table.receipt.named("HeroDied")) == 5
    assert gas(table) <= BATTLE_GAS[16]


# ---- random matches


def check_random(game: Contract, seeds: range, calls: int) -> None:
    """Tests the gas limits in random matches. After each match, the chain is reverted, because a
    long chain slows the node down."""
    dear = []
    for seed in seeds:
        snapshot = game.node.rpc("evm_snapshot")
        for receipt in random_receipts(game, seed, calls):
            what, allowed = described(receipt)
            if receipt.gas > allowed:
                dear.append((seed, what, receipt.gas, allowed))
        game.node.rpc("evm_revert", snapshot)
    assert dear == []


def test_gas_of_random_matches(game: Contract) -> None:
    check_random(game, range(4), 150)


@pytest.mark.soak
def test_gas_of_twenty_random_matches(game: Contract) -> None:
    check_random(game, range(100, 120), 300)


# ---- views, and the limits that the game suggests to wallets


@pytest.mark.parametrize("seats", [2, 6])
def test_gas_of_the_board(game: Contract, seats: int) -> None:
    table = worst_table(game, seats)
    launch(table, 15)
    call = {"to": game.address, "data": game.data("board", table.match)}
    assert int(game.node.rpc("eth_estimateGas", call), 16) < BOARD


def _moved(table: ConquestTable) -> None:
    table.send_command("move", **{"from": 2, "to": 94, "quarters": 2, "hero": False})


AFTER_A_BATTLE: dict[str, Callable[[ConquestTable], object]] = {
    "settle": lambda table: table.settle(),
    "pass": lambda table: table.send_command("pass", phaseOnly=False),
    "move": _moved,
    "surrender": lambda table: table.send_command("surrender"),
    "useItem": lambda table: table.send_command("useItem"),
    "buildPort": lambda table: table.send_command("buildPort", land=94),
}


@pytest.mark.parametrize("count", [1, 16])
@pytest.mark.parametrize("action", AFTER_A_BATTLE)
def test_gas_limits_suffice_while_a_battle_is_open(game: Contract, action: str, count: int) -> None:
    owned = dealt(2)
    options = {"used": {3}, "ports": range(94)} if action == "buildPort" else {}
    table = worst_table(game, stored={0: 1}, heroes={0: 0, 1: owned[1][1]}, **options)
    give_attack(table, owned[1][1 : 1 + count])
    table.wait()
    limit = limit_of(table, action)
    AFTER_A_BATTLE[action](table)
    assert table.receipt.raw["status"] == "0x1"
    assert gas(table) * 1.1 <= limit


def limit_of(table: ConquestTable, action: str) -> int:
    return next(one for one in GAME.actions if one.name == action).gas_limit(table.board)


def test_gas_limits_suffice_for_the_rest(game: Contract) -> None:
    table = worst_table(game)
    for count in (1, 16):
        limit = limit_of(table, "attack")
        launch(table, count)
        assert gas(table) * 1.1 <= limit
        table.wait()
        table.late()
        limit = limit_of(table, "claimTimeout")
        table.call(table.stranger, "claimTimeout")
        assert gas(table) * 1.1 <= limit
        table = worst_table(game, soldiers=[STRONG, *[WEAK] * (LANDS - 1)])
