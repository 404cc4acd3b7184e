"""A player that chooses random commands in Conquest. Most commands are legal and bring the match
closer to its end."""

from __future__ import annotations

from random import Random
from typing import Any

from indexer.rules.call import Call, CallBlock
from indexer.rules.conquest_state.battle import power_divisor, powers
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import BY_NOTHING, BY_SEA
from indexer.rules.conquest_state.match import ENTRYPOINTS, PLAYING, ConquestMatch
from indexer.rules.conquest_state.state import ACTION, CAPITAL, DISTANT, MOVE, NONE, REINFORCEMENT, ConquestState

Command = tuple[str, dict[str, Any]]
"""The name of a contract function, and its arguments without the match, the ply and the trail."""

SURRENDERS = 0.004
PASSES = 0.05


def random_command(state: ConquestState, random: Random) -> Command:
    """Return a random legal command for the player to move. The state must not have a pending
    random draw."""
    if random.random() < SURRENDERS:
        return "surrender", {}
    if state.phase != CAPITAL:
        if state.stored[state.mover] and random.random() < 0.6:
            return "useItem", {}
        if random.random() < PASSES:
            return "pass", {"phaseOnly": state.phase == ACTION and random.random() < 0.5}
    return {CAPITAL: _capital, REINFORCEMENT: _reinforcement, ACTION: _action, MOVE: _move}[state.phase](state, random)


def random_state(state: ConquestState, random: Random, plies: int) -> ConquestState:
    """Play this number of plies and return the state, which has no pending random draw. If the
    match ends earlier, return the last state before its end."""
    before = state
    while not state.is_over:
        if state.draw:
            carry_out(state, random.randbytes(32))
            continue
        before = state.copy()
        if state.ply >= plies:
            break
        action, arguments = random_command(state, random)
        if action != "surrender":
            apply_command(state, action, arguments)
    return before


def apply_command(state: ConquestState, action: str, arguments: dict[str, Any]) -> None:
    block = CallBlock(0, 0)
    match = ConquestMatch(state.match, status=PLAYING, accounts=[*state.accounts], state=state)
    named = {"ply": state.ply, "trail": state.trail, **arguments}
    ENTRYPOINTS[action](match, Call(state.accounts[state.mover], action, named, state.match, 0, block))


def _capital(state: ConquestState, random: Random) -> Command:
    return "chooseCapital", {"land": random.choice(state.lands(NONE))}


def _reinforcement(state: ConquestState, random: Random) -> Command:
    own = state.lands(state.mover)
    edge = [land for land in own if _targets(state, land)] or own
    best = max(edge, key=lambda land: state.soldiers[land])
    return "reinforce", {"land": best if random.random() < 0.8 else random.choice(own)}


def _action(state: ConquestState, random: Random) -> Command:
    own = state.lands(state.mover)
    ports = [land for land in own if state.graph.touches_water(land) and not state.ports >> land & 1]
    if ports and not state.built and random.random() < 0.15:
        return "buildPort", {"land": random.choice(ports)}
    if not state.attacked:
        if (launch := _launch(state, random)) and random.random() < 0.8:
            return "attack", {"pairs": "0x" + bytes(land for pair in launch for land in pair).hex()}
        free = state.lands(NONE)
        distant = DISTANT in state.used
        ways = [(start, end) for start in own for end in free if distant or state.connection(start, end)]
        if ways:
            start, end = max(ways, key=lambda way: (way[1] in state.items, random.random()))
            return "capture", {"from": start, "to": end}
    return "pass", {"phaseOnly": True}


def _targets(state: ConquestState, land: int) -> list[int]:
    """Return the enemy lands that an army on this land can conquer with a single attack."""
    found = []
    distant = DISTANT in state.used
    for end, owner in enumerate(state.owners):
        if owner in (state.mover, NONE):
            continue
        way = state.connection(land, end)
        if way == BY_NOTHING and (not distant or end in state.capitals):
            continue
        attack20, defence20 = powers(state, land, end)
        if attack20 > defence20 * (2 if way == BY_SEA else 1):
            found.append(end)
    return found


def _launch(state: ConquestState, random: Random) -> list[tuple[int, int]]:
    """Return up to 16 attacks. All of them are legal if the player launches them together."""
    pairs = [(start, end) for start in state.lands(state.mover) for end in _targets(state, start)]
    random.shuffle(pairs)
    pairs.sort(key=lambda pair: pair[1] not in state.capitals)
    for count in range(random.choice([1, 1, 2, 3, 16]), 0, -1):
        chosen, distant = [], DISTANT in state.used
        for start, end in pairs * 2:
            way = state.connection(start, end)
            attack20, defence20 = powers(state, start, end)
            divisor = power_divisor(state, count) * (2 if way == BY_SEA else 1)
            if attack20 <= defence20 * divisor or (way == BY_NOTHING and not distant):
                continue
            distant = distant and way != BY_NOTHING
            chosen.append((start, end))
            if len(chosen) == count:
                return chosen
    return []


def _move(state: ConquestState, random: Random) -> Command:
    own = state.lands(state.mover)
    ways = [(start, end) for start in own for end in own if state.connection(start, end) and state.soldiers[start]]
    if not ways:
        return "pass", {"phaseOnly": False}
    start, end = max(ways, key=lambda way: (state.soldiers[way[0]], random.random()))
    if random.random() < 0.5:
        start, end = random.choice(ways)
    hero = state.heroes[state.mover] == start and random.random() < 0.5
    quarters = random.randint(1, 4)
    if not hero and not state.soldiers[start] * quarters // 4:
        return "pass", {"phaseOnly": False}
    return "move", {"from": start, "to": end, "quarters": quarters, "hero": hero}


def wrong_command(state: ConquestState, random: Random) -> Command:
    """Return a command with random arguments, most of which are illegal. The current phase usually
    allows the command itself."""
    own = state.lands(state.mover) or [0]
    land, other = (random.choice([random.randrange(state.graph.lands + 1), random.choice(own)]) for _ in range(2))
    pairs = bytes(random.randrange(state.graph.lands) for _ in range(random.choice([0, 1, 34])))
    if random.random() < 0.8:
        pairs = bytes([random.choice(own), random.randrange(state.graph.lands)] * random.choice([1, 1, 2]))
    enemies = [end for end, owner in enumerate(state.owners) if owner not in (state.mover, NONE)]
    if near := [(start, end) for start in own for end in enemies if state.connection(start, end)]:
        pairs = bytes(random.choice(near)) if random.random() < 0.5 else pairs
    ways = [(start, end) for start in own for end in own if state.connection(start, end)] or [(land, other)]
    land, other = random.choice(ways) if random.random() < 0.5 else (land, other)
    ends = {"from": land, "to": other}
    quarters = random.choice([1, 1, 1, 1, 0, 5])
    steps = {
        CAPITAL: [("chooseCapital", {"land": land})],
        REINFORCEMENT: [("reinforce", {"land": land})],
        ACTION: [("buildPort", {"land": land}), ("capture", ends), ("attack", {"pairs": "0x" + pairs.hex()})],
        MOVE: [("move", {**ends, "quarters": quarters, "hero": random.random() < 0.3})],
    }
    phase = state.phase if random.random() < 0.7 else random.choice([*steps])
    anytime: list[Command] = [("pass", {"phaseOnly": random.random() < 0.5}), ("useItem", {})]
    return random.choice([*steps[phase] * 2, *anytime]) if random.random() < 0.5 else random.choice(steps[phase])
