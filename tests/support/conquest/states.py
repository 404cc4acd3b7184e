"""Conquest positions for tests, and seeds that produce a given random outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from indexer.model import Json
from indexer.rules.conquest_state.chance import APPEARS, BONUS, FAT, WHICH, Chance
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.state import ACTION, NO_DRAW, NONE, ConquestState, ItemOnMap
from tests.support.conquest.maps import MEADOW, graph_bytes

MATCH = 7
LEAST_LANDS = 8
ACCOUNTS = tuple("0x" + 40 * digit for digit in "123456")


def position(
    graph: bytes,
    owned: Sequence[Iterable[int]],
    *,
    mover: int = 0,
    phase: int = ACTION,
    ports: Iterable[int] = (),
    heroes: Mapping[int, int] | None = None,
    used: Iterable[int] = (),
    stored: Mapping[int, int] | None = None,
    soldiers: Sequence[int] | None = None,
    items: Mapping[int, bool] | None = None,
    capitals: Sequence[int] | None = None,
) -> ConquestState:
    """Return a position in which each seat owns these lands. A seat's capital is its first land,
    unless `capitals` says otherwise. In `items`, True stands for a fat item."""
    state = ConquestState.begun(LandGraph.read(graph), MATCH, ACCOUNTS[: len(owned)])
    state.events, state.draw, state.phase, state.mover, state.first = [], NO_DRAW, phase, mover, 0
    for seat, lands in enumerate(owned):
        own = [*lands]
        state.capitals[seat] = capitals[seat] if capitals else own[0] if own else NONE
        for land in own:
            state.owners[land] = seat
    state.ports = sum(1 << land for land in ports)
    for seat, land in (heroes or {}).items():
        state.heroes[seat] = land
        state.had_hero |= 1 << seat
    for seat, item in (stored or {}).items():
        state.stored[seat] = item
    state.used = frozenset(used)
    state.soldiers = [*(soldiers or state.soldiers)]
    state.items = {land: ItemOnMap(fat) for land, fat in (items or {}).items()}
    return state


def vector_graph(battle: Json) -> bytes:
    """Return the map of a recorded battle with two additional lands. The first borders only land 0,
    and the second borders all lands."""
    args_of = len(battle["soldiers"])
    total = max(LEAST_LANDS, args_of + 2)
    borders = [(1, near) for near in battle["near"]] + [(0, args_of)]
    borders += [(args_of + 1, land) for land in range(total) if land != args_of + 1]
    return graph_bytes(total, borders, [battle["shore"]] * bool(battle["shore"]))


def vector_position(battle: Json) -> ConquestState:
    """Return the position of a recorded battle, in which seat 0 attacks land 1 from land 0.

    The position also has lands that the record doesn't describe. The first of these lands belongs
    to seat 1 and has no soldiers, so that a second attack can target it."""
    args_of, graph = len(battle["soldiers"]), vector_graph(battle)
    capital = 1 if battle["capital"] else next(land for land in reversed(battle["victim"]) if land != 1)
    return position(
        graph,
        [battle["attacker"], [*battle["victim"], args_of]],
        ports=battle["ports"],
        heroes={seat: land for seat, land in enumerate(battle["heroes"]) if land is not None},
        used={2} if battle["full"] else (),
        soldiers=battle["soldiers"] + [0] * (graph[0] - args_of),
        capitals=[battle["attacker"][-1], capital],
    )


def vector_pairs(battle: Json) -> bytes:
    """Return the attacks that are launched together. The recorded battle describes only the first
    attack."""
    return bytes([0, 1, *[0, len(battle["soldiers"])] * (battle["launched"] - 1)])


def take_events(state: ConquestState) -> list[tuple[str, Json]]:
    """Return the events that the state has collected since the last call. Remove them from the
    state."""
    found, state.events = state.events, []
    return found


def args_of(state: ConquestState, name: str) -> list[Json]:
    """Return the arguments of each event with this name."""
    return [args for event, args in state.events if event == name]


def seeds(salt: int = 0) -> Iterable[bytes]:
    """Return an endless sequence of seeds. The sequence is the same in each run."""
    return (sha256(number.to_bytes(8) + salt.to_bytes(8)).digest() for number in count())


def seed_for(state: ConquestState, wanted: Callable[[Chance], bool], salt: int = 0) -> bytes:
    """Return the first seed for which the random draw at the state's ply has the wanted outcome."""
    return next(seed for seed in seeds(salt) if wanted(Chance(seed, state.match, state.ply)))


def seed_with_luck(state: ConquestState, luck: int, index: int = 0) -> bytes:
    """Return a seed that gives this luck to the attack at this index."""
    return seed_for(state, lambda chance: chance.luck(index) == luck)


FOUR = [[0], [7, 6], [5, 4], [3, 2]]
FAT_BONUS = {
    "the collector is the strongest": ([999, 0, 8, 2, 4, 50, 7, 60], [1]),
    "the collector is the second": ([60, 0, 8, 2, 4, 50, 7, 60], [1]),
    "the collector ties with the second and has the lower seat": ([54, 0, 8, 2, 4, 50, 7, 60], [1]),
    "the collector is the third": ([20, 0, 8, 2, 4, 50, 7, 60], [1, 2]),
    "the collector is the weakest": ([1, 0, 8, 2, 4, 50, 7, 60], [1, 2]),
    "all are as strong": ([10, 0, 5, 5, 5, 5, 5, 5], [1]),
    "the others are as strong": ([1, 0, 5, 5, 5, 5, 5, 5], [1, 2]),
}
"""Cases of the fat bonus (rules of Conquest 5.4, item 8), which seat 0 collects on land 1. Each
case has the soldiers on the first eight lands, and the seats that lose a land because of the bonus.
FOUR contains each seat's lands at the beginning."""


def item_appears(chance: Chance, fat: bool = False) -> bool:
    """Return True if a random draw of the kind TURN produces an item with this seed. If `fat` is
    True, the item must be fat; otherwise, it must not be fat."""
    return chance.number(APPEARS) % 100 < 12 and (chance.number(FAT) % 100 < 5) == fat


def item_is(chance: Chance, item: int) -> bool:
    """Return True if a random draw with this seed produces this item. Call this only for items that
    aren't fat."""
    if chance.number(BONUS) % 95 < 85:
        return item == 1 + chance.number(WHICH) % 5
    return item == 6 + chance.number(WHICH) % 2


def without_events(state: ConquestState) -> Any:
    """Return a copy of the state without its events, height and anchor, so that a test can compare
    two states."""
    found = state.copy()
    found.events, found.height, found.anchor = [], 0, 0
    return found


__all__ = [
    "MEADOW",
    "args_of",
    "item_appears",
    "item_is",
    "position",
    "seed_for",
    "seed_with_luck",
    "take_events",
    "without_events",
]
