"""Conquest's strongest computer player: it searches the most promising commands, four commands
deep.

It assumes that it maximises its own value and that all opponents minimise it."""

from __future__ import annotations

from itertools import combinations

from bots.conquest_strategies.commands import (
    ALL_QUARTERS,
    HALF,
    MOST_SOLDIERS,
    NONE,
    PHASE_OVER,
    TURN_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.heuristic import LAND_SHARES, best_source, reinforced
from bots.conquest_strategies.plies import SOLDIERS_A_LAND, after
from bots.conquest_strategies.sight import POWER_UNITS, Sight, first_of_most, lands_in
from indexer.rules.conquest_state.battle import damage_of
from indexer.rules.conquest_state.chance import MAX_LUCK

DEPTH, NODES = 4, 4_000
WON, BASE = 1_000_000, 400_000
ENDLESS = WON + 10
SOLDIER, LAND, PORT_WORTH = 8, 100, 40
OWN_DANGER, RIVAL_DANGER, RIVAL = 60, 10, 1_000
HARMLESS, MOST_DANGER = 50, 100
REINFORCEMENTS, ACTIONS, MOVES = 5, 8, 6
FRONTS, CAPTURES, ATTACKS, SOURCES = 4, 3, 4, 5

Candidate = tuple[int, Command]
"""The negated promise and the command. Sorting puts the best first, and the lowest command first
among equals."""


def minmax(sight: Sight) -> Command:
    return Tree().best(sight)


# ---- candidates


def candidates(sight: Sight) -> list[Command]:
    if sight.phase == TurnPhase.CAPITAL:
        return [_capital(sight)]
    if sight.phase == TurnPhase.REINFORCEMENT:
        found = _reinforcements(sight)
    elif sight.phase == TurnPhase.ACTION:
        found = [command for _, command in sorted(_actions(sight))[:ACTIONS]]
    else:
        return [command for _, command in sorted(_moves(sight))[:MOVES]]
    if sight.mover == sight.me and sight.item:
        found.append((CommandKind.USE, ()))
    return found


def _capital(sight: Sight) -> Command:
    """Choose a land with strong neutral neighbours.

    If possible, avoid a land that a neighbouring opponent may conquer in its first turn: first an
    opponent who is already there, then an opponent who may still come."""
    neutral, soldiers, near = sight.neutral, sight.soldiers, sight.terrain.near
    is_last_to_choose = sight.taken.bit_count() == sight.alive.bit_count() - 1
    to_come = 0 if is_last_to_choose else neutral
    worths = [
        (
            not _falls_at_once(sight, land, sight.taken),
            not _falls_at_once(sight, land, to_come),
            4 * soldiers[land] + sum(soldiers[other] for other in lands_in(near[land] & neutral)),
            -land,
        )
        for land in lands_in(neutral)
    ]
    return CommandKind.CAPITAL, (-max(worths)[-1],)


def _falls_at_once(sight: Sight, land: int, rivals: int) -> bool:
    """True if a neighbour among these capitals, reinforced and with the best luck, would conquer
    the land."""
    soldiers = sight.soldiers
    attacks = (soldiers[other] + SOLDIERS_A_LAND for other in lands_in(sight.terrain.near[land] & rivals))
    needed = POWER_UNITS * soldiers[land]
    return any(damage_of(POWER_UNITS * attack, needed, 1, MAX_LUCK) >= soldiers[land] for attack in attacks)


def _reinforcements(sight: Sight) -> list[Command]:
    soldiers, facing = sight.soldiers, lands_in(sight.fronts(sight.enemies))
    strongest = sorted(facing, key=lambda land: (-soldiers[land], land))[:FRONTS]
    lands = dict.fromkeys((reinforced(sight), *strongest, sight.capitals[sight.mover]))
    found: list[Command] = [(CommandKind.REINFORCE, (land,)) for land in lands]
    return found[:REINFORCEMENTS]


def _actions(sight: Sight) -> list[Candidate]:
    found: list[Candidate] = [(0, PHASE_OVER)]
    if not sight.attacked:
        found += _captures(sight)
        found += _attacks(sight)
    if not sight.built:
        found += _ports(sight)
    return found


def _captures(sight: Sight) -> list[Candidate]:
    mine, soldiers, neutral = sight.mine, sight.soldiers, sight.neutral
    near = neutral & sight.reached(mine)
    richest = sorted(lands_in(near), key=lambda land: (-soldiers[land], land))[:CAPTURES]
    found: list[Candidate] = [
        (-100 - 8 * soldiers[end], (CommandKind.ATTACK, (next(lands_in(sight.reaching(end, mine))), end)))
        for end in richest
    ]
    if sight.is_used(StoredItem.DISTANT) and (far := first_of_most(soldiers, neutral & ~near)) != NONE:
        found.append((-100 - 8 * soldiers[far], (CommandKind.ATTACK, (next(lands_in(mine)), far))))
    return found


def _attacks(sight: Sight) -> list[Candidate]:
    """Return the best single attacks, the best pair and the best triple."""
    singles: list[tuple[int, int, int]] = []
    for end in lands_in(sight.reached(sight.mine) & sight.enemies):
        start, surplus = best_source(sight, end)
        if start != NONE:
            singles.append((-_gain(sight, end, surplus), start, end))
    singles.sort()
    del singles[ATTACKS:]
    found: list[Candidate] = [(gain, (CommandKind.ATTACK, (start, end))) for gain, start, end in singles]
    for count in (2, 3):
        divisor = 1 if sight.is_used(StoredItem.FULL_POWER) else count
        groups = []
        for group in combinations(singles, count):
            if all(
                sight.strength(start) > sight.defence(end) * divisor * sight.way(start, end) for _, start, end in group
            ):
                lands = tuple(land for _, *pair in group for land in pair)
                groups.append((-(-sum(gain for gain, _, _ in group) // divisor), (CommandKind.ATTACK, lands)))
        found += sorted(groups)[:1]
    return found


def _gain(sight: Sight, end: int, surplus: int) -> int:
    """Value of an attack, by what the attacked player loses."""
    victim, soldiers = sight.owners[end], sight.soldiers[end]
    gain = 8 * min(surplus, POWER_UNITS * soldiers) // POWER_UNITS
    if surplus < POWER_UNITS * soldiers:
        return gain
    gain += 200
    if sight.capitals[victim] == end:
        gain += 2_000 + 16 * sight.total(victim) + 200 * sight.own[victim].bit_count()
    return gain + 4 * sight.total(victim) if sight.heroes[victim] == end else gain


def _ports(sight: Sight) -> list[Candidate]:
    """Return the port that leads to the most foreign lands out of reach so far."""
    mine, terrain = sight.mine, sight.terrain
    unreached = terrain.lands & ~mine & ~sight.reached(mine)
    counts = [
        ((terrain.sea[land] & unreached).bit_count(), -land) for land in lands_in(mine & terrain.shore & ~sight.ports)
    ]
    most, land = max(counts, default=(0, 0))
    return [(-40 - most, (CommandKind.PORT, (-land,)))] if most else []


def _moves(sight: Sight) -> list[Candidate]:
    mine, soldiers, mover = sight.mine, sight.soldiers, sight.mover
    capital, hero = sight.capitals[mover], sight.heroes[mover]
    facing = sight.fronts(sight.enemies)
    steps = sight.steps(facing or sight.fronts(sight.terrain.lands & ~mine))
    strongest = sorted(lands_in(mine), key=lambda land: (-soldiers[land], land))[:SOURCES]
    threat = 2 if danger(sight, mover) else 0
    found: list[Candidate] = [(0, TURN_OVER)]
    for start in strongest:
        count = soldiers[start]
        if not count:
            continue
        for end in lands_in(sight.reach(start) & mine):
            if steps[end] > steps[start] or soldiers[end] == MOST_SOLDIERS:
                continue
            gain = count * 4 if steps[end] < steps[start] else count
            if start == capital:
                gain -= threat * count
            found.append((-gain, (CommandKind.MOVE, (start, end, ALL_QUARTERS, int(hero == start)))))
            if count > 1:
                found.append((-(2 * gain // 3), (CommandKind.MOVE, (start, end, HALF, 0))))
    return found


# ---- evaluation


def value(sight: Sight, left: int) -> int:
    """Value of a position for `me`, with `left` plies left to search."""
    me = sight.me
    if not sight.alive >> me & 1:
        return 0
    if not sight.alive & ~(1 << me):
        return WON + left
    found = BASE + _worth(sight, me) - OWN_DANGER * danger(sight, me)
    for rival in lands_in(sight.alive & ~(1 << me)):
        found += RIVAL_DANGER * danger(sight, rival) - _worth(sight, rival) - RIVAL
    return max(1, min(WON - 1, found))


def _worth(sight: Sight, seat: int) -> int:
    own = sight.own[seat]
    return SOLDIER * sight.total(seat) + LAND * own.bit_count() + PORT_WORTH * (own & sight.ports).bit_count()


def danger(sight: Sight, seat: int) -> int:
    """Danger to a player's capital: the power of the best attack after a reinforcement, in percent
    of the power needed to conquer it."""
    capital, own = sight.capitals[seat], sight.own
    if capital == NONE:
        return 0
    terrain = sight.terrain
    near = (terrain.near[capital] | terrain.sea[capital] & sight.ports) & ~own[seat] & ~sight.neutral
    if not near:
        return 0
    needed = sight.defence(capital) + POWER_UNITS * sight.soldiers[capital]
    found = 0
    for land in lands_in(near):
        power = sight.strength(land) + LAND_SHARES * own[sight.owners[land]].bit_count()
        found = max(found, 100 * power // (needed * sight.way(land, capital) + 1))
    return min(found, MOST_DANGER) if found > HARMLESS else 0


# ---- the search


class Tree:
    """Fail-hard alpha-beta search to a fixed depth. `nodes`: positions so far."""

    def __init__(self, depth: int = DEPTH) -> None:
        self.nodes, self._depth = 0, depth

    def best(self, sight: Sight) -> Command:
        """Return the best command, the first among equals."""
        commands = candidates(sight)
        best, most = commands[0], -1
        if len(commands) == 1:
            return best
        for command in commands:
            found = self._value(after(sight, command), self._depth - 1, most, ENDLESS)
            if found > most:
                best, most = command, found
        return best

    def _value(self, sight: Sight, left: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        alive, me = sight.alive, 1 << sight.me
        if not left or self.nodes > NODES or not alive & me or alive == me:
            return max(alpha, min(beta, value(sight, left)))
        is_mine = sight.mover == sight.me
        for command in candidates(sight):
            found = self._value(after(sight, command), left - 1, alpha, beta)
            if is_mine:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if is_mine else beta
