"""Predicts the effect of a command during Conquest's search. The prediction assumes that luck is
always 100 %, and that players neither find nor collect items."""

from __future__ import annotations

from bots.conquest_strategies.commands import (
    MAX_SOLDIERS,
    NONE,
    PHASE_OVER,
    Command,
    CommandKind,
    StoredItem,
    TurnPhase,
)
from bots.conquest_strategies.player_view import POWER_UNITS, PlayerView, lands_in

SOLDIERS_PER_LAND = 3
HERO_TYPES = 4


def after(view: PlayerView, command: Command) -> PlayerView:
    """Return the position after a legal command by the player to move. The view that is passed
    doesn't change."""
    kind, lands = command
    found = view.copy()
    if kind == CommandKind.REINFORCE:
        more = SOLDIERS_PER_LAND * view.mine.bit_count()
        found.soldiers[lands[0]] = min(MAX_SOLDIERS, view.soldiers[lands[0]] + more)
        found.phase = TurnPhase.ACTION
    elif kind == CommandKind.ATTACK and view.owners[lands[1]] == NONE:
        _capture(found, lands[1], 1 << lands[1])
        _after_action(found, attacked=True)
    elif kind == CommandKind.ATTACK:
        _attack(found, lands)
        _after_action(found, attacked=True)
    elif kind == CommandKind.PORT:
        found.ports |= 1 << lands[0]
        _after_action(found, built=True)
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


def _after_action(view: PlayerView, attacked: bool = False, built: bool = False) -> None:
    view.attacked, view.built = view.attacked or attacked, view.built or built
    both = view.attacked and view.built
    view.phase = TurnPhase.ACTION if view.is_used(StoredItem.PORT_TOO) and not both else TurnPhase.MOVE


def _end_turn(view: PlayerView) -> None:
    if not view.is_used(StoredItem.TWICE):
        view.mover = (view.mover + 1) % len(view.own)
        while not view.alive >> view.mover & 1:
            view.mover = (view.mover + 1) % len(view.own)
    view.phase, view.used, view.attacked, view.built = TurnPhase.REINFORCEMENT, 0, False, False


def _move(view: PlayerView, start: int, end: int, quarters: int, hero: int) -> None:
    moved = min(view.soldiers[start] * quarters // 4, MAX_SOLDIERS - view.soldiers[end])
    view.soldiers[start] -= moved
    view.soldiers[end] += moved
    if hero:
        view.heroes[view.mover] = end


def _capture(view: PlayerView, land: int, lands: int) -> None:
    """Give these lands to the player to move. Either all of them are neutral, or all belong to the
    owner of `land`. If the player now has enough types of land and never had a hero, also give the
    player a hero."""
    mover, owner = view.mover, view.owners[land]
    if owner != NONE:
        view.own[owner] &= ~lands
    view.own[mover] |= lands
    for one in lands_in(lands):
        view.owners[one] = mover
    if not view.had_hero >> mover & 1:
        own = view.own[mover]
        if sum([1 for kind in view.terrain.types if kind & own]) >= HERO_TYPES:
            view.had_hero |= 1 << mover
            view.heroes[mover] = view.capitals[mover]


def _attack(view: PlayerView, lands: tuple[int, ...]) -> None:
    """Carry out the attacks of one command, one after the other. Skip an attack if an earlier one
    has made it illegal."""
    launched = 1 if view.is_used(StoredItem.FULL_POWER) else len(lands) // 2
    distant = view.is_used(StoredItem.DISTANT)
    for start, end in zip(lands[::2], lands[1::2], strict=True):
        victim = view.owners[end]
        if victim in (NONE, view.mover):
            continue
        way = view.way(start, end)
        if not way and distant and view.capitals[victim] != end:
            way, distant = 1, False
        if not way:
            continue
        divisor = launched * way
        surplus = view.strength(start) - view.defence(end) * divisor
        if surplus <= 0:
            continue
        damage = surplus // (POWER_UNITS * divisor)
        if damage < view.soldiers[end]:
            view.soldiers[end] -= damage
        else:
            _conquer(view, victim, end)


def _conquer(view: PlayerView, victim: int, land: int) -> None:
    if view.heroes[victim] == land:
        view.heroes[victim] = NONE
        for one in lands_in(view.own[victim]):
            view.soldiers[one] //= 2
    view.soldiers[land] = 0
    taken = 1 << land
    if view.capitals[victim] == land:
        taken = view.own[victim]
        view.alive &= ~(1 << victim)
        view.capitals[victim] = view.heroes[victim] = NONE
    _capture(view, land, taken)
