"""Battles: the power of lands, the damage of attacks, and what the attacks change."""

from __future__ import annotations

from indexer.rules.conquest_state.chance import Chance
from indexer.rules.conquest_state.graph import BY_NOTHING, BY_SEA
from indexer.rules.conquest_state.state import ACTION, DISTANT, FULL_POWER, MOVE, NONE, PORT_TOO, WON, ConquestState

POWER_UNITS = 20
"""The power of one soldier. The unit of power is a twentieth of a soldier."""
HERO_POWER_UNITS = 4
"""The power that a hero adds for each soldier of its player, in twentieths of a soldier. A hero is
therefore worth 4/20 of all its player's soldiers."""


def power20(state: ConquestState, land: int) -> int:
    """Return the power of the soldiers and the hero on a land, in twentieths of a soldier."""
    seat = state.owners[land]
    hero = HERO_POWER_UNITS * state.total(seat) if seat != NONE and state.heroes[seat] == land else 0
    return POWER_UNITS * state.soldiers[land] + hero


def defence20(state: ConquestState, land: int) -> int:
    """Return the power with which a land is defended, in twentieths of a soldier.

    The owner's other lands help. Adjacent lands help with their full power. Lands with a port on
    the same water help with half of their power. Nobody helps neutral lands."""
    seat, total = state.owners[land], power20(state, land)
    for other in state.lands(seat) if seat != NONE else ():
        way = state.connection(other, land)
        if other != land and way != BY_NOTHING:
            total += power20(state, other) // (2 if way == BY_SEA else 1)
    return total


def powers(state: ConquestState, start: int, end: int) -> tuple[int, int]:
    """Return the power of an attack and of the target's defence, in twentieths of a soldier."""
    return power20(state, start), defence20(state, end)


def power_divisor(state: ConquestState, launched: int) -> int:
    """Return the number by which the power of each attack is divided: the number of attacks, or 1
    if the item FULL_POWER is used."""
    return 1 if FULL_POWER in state.used else launched


def damage_of(attack20: int, needed20: int, divisor: int, luck: int) -> int:
    """Return the damage of an attack, in soldiers. `divisor`: the result of `power_divisor`, times
    2 if the attack is by sea. `luck`: in percent."""
    return (attack20 - needed20) * luck // (2_000 * divisor)


def resolve(state: ConquestState, chance: Chance) -> None:
    """Carry out the attacks that the player to move has launched, one after another."""
    launched, distant = power_divisor(state, len(state.pairs)), DISTANT in state.used
    pairs, state.pairs = state.pairs, ()
    for index, (start, end) in enumerate(pairs):
        divisor, attack20, needed20 = launched, 0, 0
        fits = state.owners[start] == state.mover and state.owners[end] not in (state.mover, NONE)
        if fits:
            way = state.connection(start, end)
            if way == BY_NOTHING:
                fits = distant and end not in state.capitals
                distant = False
            divisor *= 2 if way == BY_SEA else 1
        if fits:
            attack20, needed20 = powers(state, start, end)
            needed20 *= divisor
        attack = {"from": start, "to": end, "attack20": attack20, "needed20": needed20}
        if attack20 <= needed20:
            state.emit("BattleResolved", **attack, luck=0, damage=0, conquered=False)
            continue
        luck = chance.luck(index)
        damage = damage_of(attack20, needed20, divisor, luck)
        conquered = damage >= state.soldiers[end]
        state.emit("BattleResolved", **attack, luck=luck, damage=damage, conquered=conquered)
        if not conquered:
            state.set_soldiers({end: state.soldiers[end] - damage})
        elif conquer(state, end):
            return
    state.enter(ACTION if PORT_TOO in state.used and not state.built else MOVE)


def conquer(state: ConquestState, land: int) -> bool:
    """Give an enemy's land to the player to move. If it is the enemy's capital, give all of the
    enemy's lands. Return True if the match is over."""
    victim, seat = state.owners[land], state.mover
    state.set_soldiers({**state.kill_hero(land), land: 0})
    taken = [land]
    if state.capitals[victim] == land:
        state.eliminate(victim, seat, WON)
        taken = state.lands(victim)
    state.transfer_lands(taken, seat)
    state.award_hero(seat)
    return state.end_if_one_is_alive(WON)
