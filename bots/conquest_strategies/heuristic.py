"""Conquest's simple computer players, which choose one command at a time. `dumb` takes the first
legal command, `heuristic` the command that looks best."""

from __future__ import annotations

from bots.conquest_strategies.commands import (
    ALL_QUARTERS,
    MOST_SOLDIERS,
    NONE,
    PHASE_OVER,
    TURN_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.sight import FAR, POWER_UNITS, Sight, first_of_most, lands_in

LAND_SHARES = 60
"""Each land adds this many twentieths of a soldier to a reinforcement: 3 soldiers."""
SURE = 25
"""Surplus per defending soldier that conquers a land even with the worst luck: 20 / 0.8."""


def dumb(sight: Sight) -> Command:
    mine, phase = sight.mine, sight.phase
    if phase == TurnPhase.CAPITAL:
        return CommandKind.CAPITAL, (next(lands_in(sight.neutral)),)
    if phase == TurnPhase.REINFORCEMENT:
        return CommandKind.REINFORCE, (next(lands_in(sight.fronts(sight.enemies)), sight.capitals[sight.mover]),)
    if phase == TurnPhase.ACTION and not sight.attacked:
        for start in lands_in(mine):
            if targets := sight.reach(start) & sight.neutral:
                return CommandKind.ATTACK, (start, next(lands_in(targets)))
        for start in lands_in(mine):
            for end in lands_in(sight.reach(start) & sight.enemies):
                if sight.strength(start) > sight.defence(end) * sight.way(start, end):
                    return CommandKind.ATTACK, (start, end)
    return TURN_OVER


def heuristic(sight: Sight) -> Command:
    if sight.phase == TurnPhase.CAPITAL:
        return CommandKind.CAPITAL, (first_of_most(sight.soldiers, sight.neutral),)
    is_action = sight.phase == TurnPhase.ACTION
    if sight.item == StoredItem.TWICE or (sight.item and is_action and not sight.attacked and not sight.built):
        return CommandKind.USE, ()
    if sight.phase == TurnPhase.REINFORCEMENT:
        return CommandKind.REINFORCE, (reinforced(sight),)
    return _action(sight) if is_action else _move(sight)


def reinforced(sight: Sight) -> int:
    """Return the land to reinforce: the land where the best attack starts, or else the strongest
    land at the front, or else the capital."""
    mine, enemies = sight.mine, sight.enemies
    more = LAND_SHARES * mine.bit_count()
    best, key = NONE, (-1, -1, -1)
    for end in lands_in(sight.reached(mine) & enemies):
        defence = sight.defence(end)
        for start in lands_in(sight.reaching(end, mine)):
            way = sight.way(start, end)
            surplus = sight.strength(start) + more - defence * way
            if surplus <= 0:
                continue
            kills = surplus // way >= SURE * sight.soldiers[end]
            found = (2 * kills + (kills and end == sight.capitals[sight.owners[end]]), surplus // way, -start)
            if best == NONE or found > key:
                best, key = start, found
    if best == NONE:
        best = first_of_most(sight.soldiers, sight.fronts(enemies))
    return sight.capitals[sight.mover] if best == NONE else best


def best_source(sight: Sight, end: int, divisor: int = 1) -> tuple[int, int]:
    """Return the best land to attack an enemy's land from, and the surplus; NONE if no attack is
    legal."""
    defence, best, most = sight.defence(end) * divisor, NONE, -1
    for start in lands_in(sight.reaching(end, sight.mine)):
        way = sight.way(start, end)
        surplus = sight.strength(start) - defence * way
        if surplus > 0 and surplus // way > most:
            best, most = start, surplus // way
    return best, most


def _action(sight: Sight) -> Command:
    candidates = [] if sight.attacked else _candidates(sight)
    if candidates:
        _, _, start, end = max(candidates)
        return CommandKind.ATTACK, (-start, -end)
    port = _best_port(sight) if not sight.built else NONE
    return (CommandKind.PORT, (port,)) if port != NONE else PHASE_OVER


def _candidates(sight: Sight) -> list[tuple[int, int, int, int]]:
    """Return the possible captures and attacks, each as class, gain and the negated lands. The
    maximum is the best."""
    mine, soldiers = sight.mine, sight.soldiers
    reached, enemies = sight.reached(mine), sight.enemies
    found = []
    for end in lands_in(reached & sight.neutral):
        start = next(lands_in(sight.reaching(end, mine)))
        found.append((2, POWER_UNITS * soldiers[end], -start, -end))
    for end in lands_in(reached & enemies):
        start, surplus = best_source(sight, end)
        if start == NONE:
            continue
        falls = surplus >= SURE * soldiers[end]
        rank = (3 if end == sight.capitals[sight.owners[end]] else 1) if falls else -1
        found.append((rank, min(surplus, POWER_UNITS * soldiers[end]), -start, -end))
    return found


def _best_port(sight: Sight) -> int:
    """Return the coastal land whose port would reach the most foreign lands."""
    terrain, shore = sight.terrain, sight.mine & sight.terrain.shore & ~sight.ports
    others = {land: (terrain.near[land] | terrain.sea[land]) & ~sight.mine for land in lands_in(shore)}
    best = max(others, key=lambda land: others[land].bit_count(), default=NONE)
    return best if others.get(best) else NONE


def _move(sight: Sight) -> Command:
    mine, soldiers, enemies = sight.mine, sight.soldiers, sight.enemies
    facing = sight.fronts(enemies)
    steps = sight.steps(facing or sight.fronts(sight.terrain.lands & ~mine))
    behind = sum(1 << land for land in lands_in(mine) if 1 <= steps[land] < FAR)
    start = first_of_most(soldiers, behind)
    if start != NONE and soldiers[start]:
        end = next(land for land in lands_in(sight.reach(start) & mine) if steps[land] < steps[start])
        if soldiers[end] < MOST_SOLDIERS:
            return _all(sight, start, end)
    end = first_of_most(soldiers, facing)
    if end != NONE and soldiers[end] < MOST_SOLDIERS:
        others = sight.reaching(end, mine) & ~(1 << sight.capitals[sight.mover])
        start = first_of_most(soldiers, others)
        if start != NONE and soldiers[start]:
            return _all(sight, start, end)
    return TURN_OVER


def _all(sight: Sight, start: int, end: int) -> Command:
    return CommandKind.MOVE, (start, end, ALL_QUARTERS, int(sight.heroes[sight.mover] == start))
