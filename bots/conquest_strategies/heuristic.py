"""Simple computer players for Conquest. They don't look ahead. `dumb` takes the first legal
command, and `heuristic` takes the command that looks best."""

from __future__ import annotations

from bots.conquest_strategies.commands import (
    ALL_QUARTERS,
    MAX_SOLDIERS,
    NONE,
    PHASE_OVER,
    TURN_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.player_view import FAR, POWER_UNITS, PlayerView, lands_in, strongest

LAND_SHARES = 60
"""The power that each land of a player adds to a reinforcement, in twentieths of a soldier. It is
the power of 3 soldiers."""
SURE = 25
"""The surplus of power, per defending soldier, that an attack needs to conquer a land even with the
worst luck. It is 20 (a soldier's power) divided by 0.8 (the worst luck)."""


def dumb(view: PlayerView) -> Command:
    mine, phase = view.mine, view.phase
    if phase == TurnPhase.CAPITAL:
        return CommandKind.CAPITAL, (next(lands_in(view.neutral)),)
    if phase == TurnPhase.REINFORCEMENT:
        return CommandKind.REINFORCE, (next(lands_in(view.fronts(view.enemies)), view.capitals[view.mover]),)
    if phase == TurnPhase.ACTION and not view.attacked:
        for start in lands_in(mine):
            if targets := view.reach(start) & view.neutral:
                return CommandKind.ATTACK, (start, next(lands_in(targets)))
        for start in lands_in(mine):
            for end in lands_in(view.reach(start) & view.enemies):
                if view.strength(start) > view.defence(end) * view.way(start, end):
                    return CommandKind.ATTACK, (start, end)
    return TURN_OVER


def heuristic(view: PlayerView) -> Command:
    if view.phase == TurnPhase.CAPITAL:
        return CommandKind.CAPITAL, (strongest(view.soldiers, view.neutral),)
    is_action = view.phase == TurnPhase.ACTION
    if view.item == StoredItem.TWICE or (view.item and is_action and not view.attacked and not view.built):
        return CommandKind.USE, ()
    if view.phase == TurnPhase.REINFORCEMENT:
        return CommandKind.REINFORCE, (reinforced(view),)
    return _action(view) if is_action else _move(view)


def reinforced(view: PlayerView) -> int:
    """Return the land to reinforce. This is the land from which the best attack starts. If no
    attack is possible, it is the strongest land at the front, or else the capital."""
    mine, enemies = view.mine, view.enemies
    more = LAND_SHARES * mine.bit_count()
    best, key = NONE, (-1, -1, -1)
    for end in lands_in(view.reached(mine) & enemies):
        defence = view.defence(end)
        for start in lands_in(view.reaching(end, mine)):
            way = view.way(start, end)
            surplus = view.strength(start) + more - defence * way
            if surplus <= 0:
                continue
            kills = surplus // way >= SURE * view.soldiers[end]
            found = (2 * kills + (kills and end == view.capitals[view.owners[end]]), surplus // way, -start)
            if best == NONE or found > key:
                best, key = start, found
    if best == NONE:
        best = strongest(view.soldiers, view.fronts(enemies))
    return view.capitals[view.mover] if best == NONE else best


def best_source(view: PlayerView, end: int, divisor: int = 1) -> tuple[int, int]:
    """Return the best land from which to attack the enemy land `end`, and the surplus of power of
    that attack. The land is NONE if no attack is legal."""
    defence, best, most = view.defence(end) * divisor, NONE, -1
    for start in lands_in(view.reaching(end, view.mine)):
        way = view.way(start, end)
        surplus = view.strength(start) - defence * way
        if surplus > 0 and surplus // way > most:
            best, most = start, surplus // way
    return best, most


def _action(view: PlayerView) -> Command:
    candidates = [] if view.attacked else _candidates(view)
    if candidates:
        _, _, start, end = max(candidates)
        return CommandKind.ATTACK, (-start, -end)
    port = _best_port(view) if not view.built else NONE
    return (CommandKind.PORT, (port,)) if port != NONE else PHASE_OVER


def _candidates(view: PlayerView) -> list[tuple[int, int, int, int]]:
    """Return the possible captures of neutral lands and attacks on enemies. Each is a tuple of its
    rank, its gain, and the numbers of its two lands with a minus sign. The largest tuple is the
    best choice. Among equally good choices, it is the one whose lands have the lowest numbers."""
    mine, soldiers = view.mine, view.soldiers
    reached, enemies = view.reached(mine), view.enemies
    found = []
    for end in lands_in(reached & view.neutral):
        start = next(lands_in(view.reaching(end, mine)))
        found.append((2, POWER_UNITS * soldiers[end], -start, -end))
    for end in lands_in(reached & enemies):
        start, surplus = best_source(view, end)
        if start == NONE:
            continue
        falls = surplus >= SURE * soldiers[end]
        rank = (3 if end == view.capitals[view.owners[end]] else 1) if falls else -1
        found.append((rank, min(surplus, POWER_UNITS * soldiers[end]), -start, -end))
    return found


def _best_port(view: PlayerView) -> int:
    """Return the player's coastal land from which a port would reach the largest number of lands
    that the player doesn't own. Return NONE if there is no such land."""
    terrain, shore = view.terrain, view.mine & view.terrain.shore & ~view.ports
    others = {land: (terrain.near[land] | terrain.sea[land]) & ~view.mine for land in lands_in(shore)}
    best = max(others, key=lambda land: others[land].bit_count(), default=NONE)
    return best if others.get(best) else NONE


def _move(view: PlayerView) -> Command:
    mine, soldiers, enemies = view.mine, view.soldiers, view.enemies
    facing = view.fronts(enemies)
    steps = view.steps(facing or view.fronts(view.terrain.lands & ~mine))
    behind = sum(1 << land for land in lands_in(mine) if 1 <= steps[land] < FAR)
    start = strongest(soldiers, behind)
    if start != NONE and soldiers[start]:
        end = next(land for land in lands_in(view.reach(start) & mine) if steps[land] < steps[start])
        if soldiers[end] < MAX_SOLDIERS:
            return _all(view, start, end)
    end = strongest(soldiers, facing)
    if end != NONE and soldiers[end] < MAX_SOLDIERS:
        others = view.reaching(end, mine) & ~(1 << view.capitals[view.mover])
        start = strongest(soldiers, others)
        if start != NONE and soldiers[start]:
            return _all(view, start, end)
    return TURN_OVER


def _all(view: PlayerView, start: int, end: int) -> Command:
    return CommandKind.MOVE, (start, end, ALL_QUARTERS, int(view.heroes[view.mover] == start))
