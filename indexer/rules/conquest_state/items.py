"""Items on lands: when they appear and expire, and what they do when a player collects them."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate

from indexer.rules.conquest_state.chance import APPEARS, BONUS, FAT, LOST_LAND, SPOT, WHICH, Chance
from indexer.rules.conquest_state.state import (
    FAT_BONUS,
    FEWER,
    LOSE_LAND,
    MORE,
    NONE,
    TWO_TURNS,
    ConquestState,
    ItemOnMap,
)

PERCENT, APPEARS_IN, FAT_IN = 100, 12, 5
SIMPLE, BONUS_IN, BONUSES, MALUSES = 95, 85, 5, 2
"""Of 95 items that are not fat, 85 are one of five bonuses, and 10 are one of two maluses."""
MAX_ITEMS_ON_MAP = 4
FORT_WEIGHT = 2
STRONGEST = 2


def turn_begins(state: ConquestState, chance: Chance) -> None:
    """Reduce the remaining turns of all items, and remove those that expire. With a probability of
    12 %, let a new item appear."""
    for land, item in sorted(state.items.items()):
        item.turns -= 1
        if not item.turns:
            del state.items[land]
            state.emit("ItemExpired", land=land)
    if chance.has_no_hash or chance.number(APPEARS) % PERCENT >= APPEARS_IN or len(state.items) >= MAX_ITEMS_ON_MAP:
        return
    weights = [_weight(state, land) for land in range(state.graph.lands)]
    if not sum(weights):
        return
    land = bisect(list(accumulate(weights)), chance.number(SPOT) % sum(weights))
    fat = chance.number(FAT) % PERCENT < FAT_IN
    state.emit("ItemAppeared", land=land, fat=fat)
    if state.owners[land] == NONE:
        state.items[land] = ItemOnMap(fat)
    else:
        collect(state, state.owners[land], land, None if fat else chance)


def _weight(state: ConquestState, land: int) -> int:
    if land in state.items:
        return 0
    return FORT_WEIGHT if state.graph.forts >> land & 1 else int(state.owners[land] == NONE)


def collect(state: ConquestState, seat: int, land: int, chance: Chance | None = None) -> None:
    """Give the item on a land to a player. `chance`: the random numbers that decide which item it
    is. None stands for the fat bonus, which isn't random."""
    item = FAT_BONUS if chance is None else _drawn(chance)
    state.emit("ItemCollected", seat=seat, land=land, item=item)
    if 0 < item <= TWO_TURNS:
        state.stored[seat] = item
    elif item in (MORE, FEWER):
        sign = 1 if item == MORE else -1
        state.set_soldiers(
            {each: state.soldiers[each] + sign * (state.soldiers[each] // 10) for each in state.lands(seat)}
        )
    elif item == LOSE_LAND and chance is not None:
        _lose_land(state, seat, chance)
    elif item == FAT_BONUS:
        _take_largest(state, seat)


def _drawn(chance: Chance) -> int:
    """Choose an item at random. Return 0 (no item) if the block's hash is no longer available."""
    if chance.has_no_hash:
        return 0
    which = chance.number(WHICH)
    return 1 + which % BONUSES if chance.number(BONUS) % SIMPLE < BONUS_IN else FEWER + which % MALUSES


def _lose_land(state: ConquestState, seat: int, chance: Chance) -> None:
    own = state.lands(seat)
    strongest = max(own, key=lambda land: (state.soldiers[land], -land))
    candidates = [land for land in own if land not in (state.capitals[seat], strongest)]
    if candidates:
        _lose(state, candidates[chance.number(LOST_LAND) % len(candidates)], NONE)


def _take_largest(state: ConquestState, seat: int) -> None:
    """Give lands of the two strongest players to the player who collected the item.

    These are the two players with the most soldiers. Each of them loses the land with the most
    soldiers, but never the capital. The collector loses nothing (rules of Conquest 5.4, item 8)."""
    living = [other for other in range(state.seats) if state.is_alive(other)]
    living.sort(key=lambda other: (-state.total(other), other))
    for victim in living[:STRONGEST]:
        if victim == seat:
            continue
        lands = [land for land in state.lands(victim) if land != state.capitals[victim]]
        if lands:
            _lose(state, max(lands, key=lambda land: (state.soldiers[land], -land)), seat)
    state.award_hero(seat)


def _lose(state: ConquestState, land: int, to: int) -> None:
    """Give a land with its soldiers to a new owner. If the old owner's hero dies there, first halve
    the soldiers on all of the old owner's lands."""
    state.set_soldiers(state.kill_hero(land))
    state.transfer_lands([land], to)
