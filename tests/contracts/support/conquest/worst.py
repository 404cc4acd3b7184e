"""Conquest positions in which calls cost the most gas.

The map has 96 lands around eight waters. Each land has a port and a fort. The attacks in these
positions can kill heroes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from indexer.rules.conquest_state.chance import Chance
from indexer.rules.conquest_state.state import ACTION, MOVE, NONE, ConquestState
from tests.contracts.support.conquest.storage import write_state
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.conquest import ConquestTable
from tests.support.conquest.maps import graph_bytes
from tests.support.conquest.states import item_appears, position

LANDS, WATERS = 96, 8
STRONG, WEAK = 99_999, 3


def crossed(lands: int, waters: int = WATERS, seed: int = 1) -> bytes:
    """Return a map on which each land has about six neighbours and touches every body of water."""
    random = Random(seed)
    borders = {(land, land + 1) for land in range(lands - 1)}
    borders |= {(land, min(lands - 1, land + random.randint(2, 12))) for land in range(lands - 1) for _ in range(2)}
    types = {land: 1 + land % 5 for land in range(lands)}
    soldiers = [random.randint(0, 100) for _ in range(lands)]
    return graph_bytes(lands, borders, [range(lands)] * waters, types, range(lands), soldiers)


def complete(lands: int) -> bytes:
    """Return a map on which each land borders every other land. The contract accepts it, although
    no seed generates it."""
    borders = {(land, other) for other in range(lands) for land in range(other)}
    types = {land: 1 + land % 5 for land in range(lands)}
    return graph_bytes(lands, borders, [range(lands)] * WATERS, types, range(lands), [1] * lands)


GRAPH = crossed(LANDS)


def dealt(seats: int, lands: int = LANDS) -> list[list[int]]:
    """Return the lands of each seat. The seats get lands alternately, so that each seat has lands
    in every storage word."""
    return [[land for land in range(lands) if land % seats == seat] for seat in range(seats)]


def worst_table(
    game: Contract, seats: int = 2, phase: int = ACTION, graph: bytes = GRAPH, **more: Any
) -> ConquestTable:
    """Return a match in which it is seat 0's turn. The hero and a strong army of seat 0 are on its
    first land.

    The heroes of the other seats are in their capitals."""
    owned = more.pop("owned", None) or dealt(seats)
    heroes = {seat: lands[0] for seat, lands in enumerate(owned)}
    soldiers = [WEAK] * LANDS
    soldiers[0] = STRONG
    options = {"ports": range(LANDS), "heroes": heroes, "soldiers": soldiers, "phase": phase, **more}
    table = ConquestTable(game, len(owned), graph)
    write_state(table, position(graph, owned, **options))
    return table


def launch(table: ConquestTable, count: int, victim: int = 1) -> None:
    """Attack `count` of the victim's lands from the land with seat 0's strong army.

    If `count` is 2 or more, the targets include the victim's capital, where the victim's hero is.
    """
    targets = table.state.lands(victim)[1:count]
    give_attack(table, [*targets, table.state.capitals[victim]] if count > 1 else [table.state.lands(victim)[1]])


def give_attack(table: ConquestTable, targets: list[int]) -> None:
    table.send_command("attack", pairs="0x" + bytes(land for target in targets for land in (0, target)).hex())


def fat_on_a_fort(chance: Chance) -> bool:
    return item_appears(chance, fat=True)


def before_a_turn(game: Contract, seats: int) -> ConquestTable:
    """Return a match at the beginning of a turn, before the turn's draw.

    The hero of each seat is with the seat's largest army, on a land that isn't the capital. If
    there are more than two seats, six lands are neutral and three items will expire."""
    owned = [[land for land in lands if seats == 2 or land < 90] for lands in dealt(seats)]
    table = ConquestTable(game, seats, GRAPH)
    soldiers = [WEAK + 7] * LANDS
    for lands in owned:
        soldiers[lands[1]] = 1_000
    heroes = {seat: lands[1] for seat, lands in enumerate(owned)}
    state = position(GRAPH, owned, ports=range(LANDS), heroes=heroes, soldiers=soldiers, phase=MOVE)
    if seats > 2:
        state = with_old_items(state)
    write_state(table, state)
    table.send_command("pass", phaseOnly=False)
    return table


def with_old_items(state: ConquestState) -> ConquestState:
    free = [land for land, owner in enumerate(state.owners) if owner == NONE]
    found = position(GRAPH, [state.lands(seat) for seat in range(state.seats)], items=dict.fromkeys(free[:3], False))
    for item in found.items.values():
        item.turns = 1
    state.items = found.items
    return state
