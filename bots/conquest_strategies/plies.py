"""The effect of a command in Conquest's search: luck is 100, and items neither appear nor are
collected."""

from __future__ import annotations

from bots.conquest_strategies.commands import (
    MOST_SOLDIERS,
    NONE,
    PHASE_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.sight import POWER_UNITS, Sight, lands_in

SOLDIERS_A_LAND = 3
HERO_TYPES = 4


def after(sight: Sight, command: Command) -> Sight:
    """Return the position after a legal command of the mover."""
    kind, lands = command
    found = sight.copy()
    if kind == CommandKind.REINFORCE:
        more = SOLDIERS_A_LAND * sight.mine.bit_count()
        found.soldiers[lands[0]] = min(MOST_SOLDIERS, sight.soldiers[lands[0]] + more)
        found.phase = TurnPhase.ACTION
    elif kind == CommandKind.ATTACK and sight.owners[lands[1]] == NONE:
        _take(found, lands[1], 1 << lands[1])
        _acted(found, attacked=True)
    elif kind == CommandKind.ATTACK:
        _attack(found, lands)
        _acted(found, attacked=True)
    elif kind == CommandKind.PORT:
        found.ports |= 1 << lands[0]
        _acted(found, built=True)
    elif kind == CommandKind.MOVE:
        _move(found, *lands)
        _end_turn(found)
    elif kind != CommandKind.PASS:
        found.used, found.item = found.used | 1 << found.item, 0
    elif command == PHASE_OVER:
        found.phase = TurnPhase.MOVE
    else:
        _end_turn(found)
    return found


def _acted(sight: Sight, attacked: bool = False, built: bool = False) -> None:
    sight.attacked, sight.built = sight.attacked or attacked, sight.built or built
    both = sight.attacked and sight.built
    sight.phase = TurnPhase.ACTION if sight.is_used(StoredItem.PORT_TOO) and not both else TurnPhase.MOVE


def _end_turn(sight: Sight) -> None:
    if not sight.is_used(StoredItem.TWICE):
        sight.mover = (sight.mover + 1) % len(sight.own)
        while not sight.alive >> sight.mover & 1:
            sight.mover = (sight.mover + 1) % len(sight.own)
    sight.phase, sight.used, sight.attacked, sight.built = TurnPhase.REINFORCEMENT, 0, False, False


def _move(sight: Sight, start: int, end: int, quarters: int, hero: int) -> None:
    moved = min(sight.soldiers[start] * quarters // 4, MOST_SOLDIERS - sight.soldiers[end])
    sight.soldiers[start] -= moved
    sight.soldiers[end] += moved
    if hero:
        sight.heroes[sight.mover] = end


def _take(sight: Sight, land: int, lands: int) -> None:
    """Give the mover these lands, which are neutral or belong to the owner of one of them. Give a
    hero if the mover now has the types for it."""
    mover, owner = sight.mover, sight.owners[land]
    if owner != NONE:
        sight.own[owner] &= ~lands
    sight.own[mover] |= lands
    for one in lands_in(lands):
        sight.owners[one] = mover
    if not sight.had_hero >> mover & 1:
        own = sight.own[mover]
        if sum([1 for kind in sight.terrain.types if kind & own]) >= HERO_TYPES:
            sight.had_hero |= 1 << mover
            sight.heroes[mover] = sight.capitals[mover]


def _attack(sight: Sight, lands: tuple[int, ...]) -> None:
    """Carry out attacks one after the other. Skip those that are no longer legal."""
    launched = 1 if sight.is_used(StoredItem.FULL_POWER) else len(lands) // 2
    distant = sight.is_used(StoredItem.DISTANT)
    for start, end in zip(lands[::2], lands[1::2], strict=True):
        victim = sight.owners[end]
        if victim in (NONE, sight.mover):
            continue
        way = sight.way(start, end)
        if not way and distant and sight.capitals[victim] != end:
            way, distant = 1, False
        if not way:
            continue
        divisor = launched * way
        surplus = sight.strength(start) - sight.defence(end) * divisor
        if surplus <= 0:
            continue
        damage = surplus // (POWER_UNITS * divisor)
        if damage < sight.soldiers[end]:
            sight.soldiers[end] -= damage
        else:
            _conquer(sight, victim, end)


def _conquer(sight: Sight, victim: int, land: int) -> None:
    if sight.heroes[victim] == land:
        sight.heroes[victim] = NONE
        for one in lands_in(sight.own[victim]):
            sight.soldiers[one] //= 2
    sight.soldiers[land] = 0
    taken = 1 << land
    if sight.capitals[victim] == land:
        taken = sight.own[victim]
        sight.alive &= ~(1 << victim)
        sight.capitals[victim] = sight.heroes[victim] = NONE
    _take(sight, land, taken)
