"""Conquest's strongest computer player. It searches four commands ahead, and considers only the
most promising commands.

It maximizes the value of its own position and assumes that all opponents minimize that value."""

from __future__ import annotations

from itertools import combinations

from bots.conquest_strategies.commands import (
    ALL_QUARTERS,
    HALF,
    MAX_SOLDIERS,
    NONE,
    PHASE_OVER,
    TURN_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.heuristic import LAND_SHARES, best_source, reinforced
from bots.conquest_strategies.player_view import POWER_UNITS, PlayerView, lands_in, strongest
from bots.conquest_strategies.plies import SOLDIERS_PER_LAND, after
from indexer.rules.conquest_state.battle import damage_of
from indexer.rules.conquest_state.chance import MAX_LUCK

DEPTH, NODES = 4, 4_000
WON, BASE = 1_000_000, 400_000
ENDLESS = WON + 10
SOLDIER, LAND, PORT_VALUE = 8, 100, 40
OWN_DANGER, OPPONENT_DANGER, OPPONENT_VALUE = 60, 10, 1_000
HARMLESS, MAX_DANGER = 50, 100
REINFORCEMENTS, ACTIONS, MOVES = 5, 8, 6
FRONTS, CAPTURES, ATTACKS, SOURCES = 4, 3, 4, 5

Candidate = tuple[int, Command]
"""A command, preceded by its estimated value with the opposite sign. Sorting therefore puts the
command with the highest value first. Among commands with the same value, the lowest tuple comes
first."""


def minmax(view: PlayerView) -> Command:
    return Tree().best(view)


# ---- candidates


def candidates(view: PlayerView) -> list[Command]:
    if view.phase == TurnPhase.CAPITAL:
        return [_capital(view)]
    if view.phase == TurnPhase.REINFORCEMENT:
        found = _reinforcements(view)
    elif view.phase == TurnPhase.ACTION:
        found = [command for _, command in sorted(_actions(view))[:ACTIONS]]
    else:
        return [command for _, command in sorted(_moves(view))[:MOVES]]
    if view.mover == view.me and view.item:
        found.append((CommandKind.USE, ()))
    return found


def _capital(view: PlayerView) -> Command:
    """Return the command that chooses a capital with strong neutral neighbours.

    If possible, avoid a land that a neighbouring opponent could conquer in its first turn.
    Opponents who already have a capital nearby matter more than opponents who haven't chosen theirs
    yet."""
    neutral, soldiers, near = view.neutral, view.soldiers, view.terrain.near
    is_last_to_choose = view.taken.bit_count() == view.alive.bit_count() - 1
    to_come = 0 if is_last_to_choose else neutral
    worths = [
        (
            not _falls_at_once(view, land, view.taken),
            not _falls_at_once(view, land, to_come),
            4 * soldiers[land] + sum(soldiers[other] for other in lands_in(near[land] & neutral)),
            -land,
        )
        for land in lands_in(neutral)
    ]
    return CommandKind.CAPITAL, (-max(worths)[-1],)


def _falls_at_once(view: PlayerView, land: int, opponents: int) -> bool:
    """Return True if one of these opponents could conquer the land immediately. The opponent would
    reinforce a neighbouring land, and attack from there with the best luck."""
    soldiers = view.soldiers
    attacks = (soldiers[other] + SOLDIERS_PER_LAND for other in lands_in(view.terrain.near[land] & opponents))
    needed = POWER_UNITS * soldiers[land]
    return any(damage_of(POWER_UNITS * attack, needed, 1, MAX_LUCK) >= soldiers[land] for attack in attacks)


def _reinforcements(view: PlayerView) -> list[Command]:
    soldiers, facing = view.soldiers, lands_in(view.fronts(view.enemies))
    strongest = sorted(facing, key=lambda land: (-soldiers[land], land))[:FRONTS]
    lands = dict.fromkeys((reinforced(view), *strongest, view.capitals[view.mover]))
    found: list[Command] = [(CommandKind.REINFORCE, (land,)) for land in lands]
    return found[:REINFORCEMENTS]


def _actions(view: PlayerView) -> list[Candidate]:
    found: list[Candidate] = [(0, PHASE_OVER)]
    if not view.attacked:
        found += _captures(view)
        found += _attacks(view)
    if not view.built:
        found += _ports(view)
    return found


def _captures(view: PlayerView) -> list[Candidate]:
    mine, soldiers, neutral = view.mine, view.soldiers, view.neutral
    near = neutral & view.reached(mine)
    richest = sorted(lands_in(near), key=lambda land: (-soldiers[land], land))[:CAPTURES]
    found: list[Candidate] = [
        (-100 - 8 * soldiers[end], (CommandKind.ATTACK, (next(lands_in(view.reaching(end, mine))), end)))
        for end in richest
    ]
    if view.is_used(StoredItem.DISTANT) and (far := strongest(soldiers, neutral & ~near)) != NONE:
        found.append((-100 - 8 * soldiers[far], (CommandKind.ATTACK, (next(lands_in(mine)), far))))
    return found


def _attacks(view: PlayerView) -> list[Candidate]:
    """Return the most valuable attacks: several single attacks, at most one pair of simultaneous
    attacks, and at most one combination of three."""
    singles: list[tuple[int, int, int]] = []
    for end in lands_in(view.reached(view.mine) & view.enemies):
        start, surplus = best_source(view, end)
        if start != NONE:
            singles.append((-_gain(view, end, surplus), start, end))
    singles.sort()
    del singles[ATTACKS:]
    found: list[Candidate] = [(gain, (CommandKind.ATTACK, (start, end))) for gain, start, end in singles]
    for count in (2, 3):
        divisor = 1 if view.is_used(StoredItem.FULL_POWER) else count
        groups = []
        for group in combinations(singles, count):
            if all(
                view.strength(start) > view.defence(end) * divisor * view.way(start, end) for _, start, end in group
            ):
                lands = tuple(land for _, *pair in group for land in pair)
                groups.append((-(-sum(gain for gain, _, _ in group) // divisor), (CommandKind.ATTACK, lands)))
        found += sorted(groups)[:1]
    return found


def _gain(view: PlayerView, end: int, surplus: int) -> int:
    """Return the value of an attack on the enemy land `end`. It depends on how much the attacked
    player would lose. `surplus` is the attack's surplus of power."""
    victim, soldiers = view.owners[end], view.soldiers[end]
    gain = 8 * min(surplus, POWER_UNITS * soldiers) // POWER_UNITS
    if surplus < POWER_UNITS * soldiers:
        return gain
    gain += 200
    if view.capitals[victim] == end:
        gain += 2_000 + 16 * view.total(victim) + 200 * view.own[victim].bit_count()
    return gain + 4 * view.total(victim) if view.heroes[victim] == end else gain


def _ports(view: PlayerView) -> list[Candidate]:
    """Return a list with the command to build the best port. The best port gives access to the
    largest number of lands that the player can't reach yet. The list is empty if no port gives
    access to such a land."""
    mine, terrain = view.mine, view.terrain
    unreached = terrain.lands & ~mine & ~view.reached(mine)
    counts = [
        ((terrain.sea[land] & unreached).bit_count(), -land) for land in lands_in(mine & terrain.shore & ~view.ports)
    ]
    most, land = max(counts, default=(0, 0))
    return [(-40 - most, (CommandKind.PORT, (-land,)))] if most else []


def _moves(view: PlayerView) -> list[Candidate]:
    mine, soldiers, mover = view.mine, view.soldiers, view.mover
    capital, hero = view.capitals[mover], view.heroes[mover]
    facing = view.fronts(view.enemies)
    steps = view.steps(facing or view.fronts(view.terrain.lands & ~mine))
    strongest = sorted(lands_in(mine), key=lambda land: (-soldiers[land], land))[:SOURCES]
    threat = 2 if danger(view, mover) else 0
    found: list[Candidate] = [(0, TURN_OVER)]
    for start in strongest:
        count = soldiers[start]
        if not count:
            continue
        for end in lands_in(view.reach(start) & mine):
            if steps[end] > steps[start] or soldiers[end] == MAX_SOLDIERS:
                continue
            gain = count * 4 if steps[end] < steps[start] else count
            if start == capital:
                gain -= threat * count
            found.append((-gain, (CommandKind.MOVE, (start, end, ALL_QUARTERS, int(hero == start)))))
            if count > 1:
                found.append((-(2 * gain // 3), (CommandKind.MOVE, (start, end, HALF, 0))))
    return found


# ---- evaluation


def value(view: PlayerView, left: int) -> int:
    """Return the value of a position for the player `me`. `left` is the number of plies that the
    search has left, so an earlier win has a higher value."""
    me = view.me
    if not view.alive >> me & 1:
        return 0
    if not view.alive & ~(1 << me):
        return WON + left
    found = BASE + _worth(view, me) - OWN_DANGER * danger(view, me)
    for opponent in lands_in(view.alive & ~(1 << me)):
        found += OPPONENT_DANGER * danger(view, opponent) - _worth(view, opponent) - OPPONENT_VALUE
    return max(1, min(WON - 1, found))


def _worth(view: PlayerView, seat: int) -> int:
    own = view.own[seat]
    return SOLDIER * view.total(seat) + LAND * own.bit_count() + PORT_VALUE * (own & view.ports).bit_count()


def danger(view: PlayerView, seat: int) -> int:
    """Return how endangered a player's capital is. The function considers the attacks that enemies
    could make from single lands after a reinforcement. The result is the power of the best attack
    as a percentage of the power that conquers the capital."""
    capital, own = view.capitals[seat], view.own
    if capital == NONE:
        return 0
    terrain = view.terrain
    near = (terrain.near[capital] | terrain.sea[capital] & view.ports) & ~own[seat] & ~view.neutral
    if not near:
        return 0
    needed = view.defence(capital) + POWER_UNITS * view.soldiers[capital]
    found = 0
    for land in lands_in(near):
        power = view.strength(land) + LAND_SHARES * own[view.owners[land]].bit_count()
        found = max(found, 100 * power // (needed * view.way(land, capital) + 1))
    return min(found, MAX_DANGER) if found > HARMLESS else 0


# ---- the search


class Tree:
    """A fail-hard alpha-beta search to a fixed depth. `nodes` is the number of positions that the
    search has visited."""

    def __init__(self, depth: int = DEPTH) -> None:
        self.nodes, self._depth = 0, depth

    def best(self, view: PlayerView) -> Command:
        """Return the command with the highest value. Among commands with the same value, return the
        first."""
        commands = candidates(view)
        best, most = commands[0], -1
        if len(commands) == 1:
            return best
        for command in commands:
            found = self._value(after(view, command), self._depth - 1, most, ENDLESS)
            if found > most:
                best, most = command, found
        return best

    def _value(self, view: PlayerView, left: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        alive, me = view.alive, 1 << view.me
        if not left or self.nodes > NODES or not alive & me or alive == me:
            return max(alpha, min(beta, value(view, left)))
        is_mine = view.mover == view.me
        for command in candidates(view):
            found = self._value(after(view, command), left - 1, alpha, beta)
            if is_mine:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if is_mine else beta
