"""Commands of the mover.

Each command checks everything in the contract's order before it changes anything. They raise
Refusal."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.rules.conquest_state.battle import power_divisor, powers
from indexer.rules.conquest_state.graph import BY_NOTHING, BY_SEA
from indexer.rules.conquest_state.items import collect
from indexer.rules.conquest_state.refusal import Refusal
from indexer.rules.conquest_state.state import (
    ACTION,
    BATTLE,
    CAPITAL,
    COLLECT,
    DISTANT,
    MOST_SOLDIERS,
    MOVE,
    NO_DRAW,
    NONE,
    PORT_TOO,
    REINFORCEMENT,
    RESIGNED,
    TIMEOUT,
    ConquestState,
)
from indexer.rules.conquest_state.turns import capital_chosen, end_turn, leave_map

CHOOSE, REINFORCE, PORT, PASS, SURRENDER, ATTACK, MOVING, USE = range(8)
"""Kinds of commands."""
TURN_PASS, PHASE_PASS, FORCED_PASS = range(3)
ANY_PHASE = 255
SOLDIERS_PER_LAND = 3
MAX_PAIRS = 16
QUARTERS = 4
FORCED_LIMIT = 3


def choose_capital(state: ConquestState, land: int) -> None:
    _need_phase(state, CAPITAL)
    _need_lands(state, land)
    _need_neutral(state, land)
    state.commanded(CHOOSE, bytes([land]))
    state.capitals[state.mover] = land
    state.hand_over([land], state.mover)
    capital_chosen(state)


def reinforce(state: ConquestState, land: int) -> None:
    _need_phase(state, REINFORCEMENT)
    _need_lands(state, land)
    _need_own(state, land)
    state.commanded(REINFORCE, bytes([land]))
    state.count({land: state.soldiers[land] + SOLDIERS_PER_LAND * len(state.lands(state.mover))})
    state.enter(ACTION)


def build_port(state: ConquestState, land: int) -> None:
    _need_phase(state, ACTION)
    _need_lands(state, land)
    if state.built:
        raise Refusal("OncePerTurn", PORT)
    _need_own(state, land)
    if not state.graph.touches_water(land):
        raise Refusal("NoWater", land)
    if state.ports >> land & 1:
        raise Refusal("PortThere", land)
    state.commanded(PORT, bytes([land]))
    state.ports |= 1 << land
    state.built = True
    state.emit("PortBuilt", land=land)
    state.enter(ACTION if PORT_TOO in state.used and not state.attacked else MOVE)


def pass_on(state: ConquestState, phase_only: bool) -> None:
    """Pass the phase Action, or the rest of the turn from any phase."""
    _need_phase(state, ACTION if phase_only else ANY_PHASE)
    state.commanded(PASS, bytes([PHASE_PASS if phase_only else TURN_PASS]))
    if phase_only:
        state.enter(MOVE)
    else:
        end_turn(state)


def surrender(state: ConquestState) -> None:
    state.commanded(SURRENDER)
    leave_map(state, RESIGNED)


def use_item(state: ConquestState) -> None:
    _need_phase(state, ANY_PHASE)
    item = state.stored[state.mover]
    if not item:
        raise Refusal("NoItem")
    state.commanded(USE)
    state.stored[state.mover] = 0
    state.used |= {item}
    state.emit("ItemUsed", seat=state.mover, item=item)


def capture(state: ConquestState, start: int, end: int) -> None:
    """Capture a neutral land. Only an item on it may need a draw."""
    _need_phase(state, ACTION)
    _need_lands(state, start, end)
    if state.attacked:
        raise Refusal("OncePerTurn", ATTACK)
    _need_own(state, start)
    _need_neutral(state, end)
    if state.connection(start, end) == BY_NOTHING and DISTANT not in state.used:
        raise Refusal("NotConnected", start, end)
    state.commanded(ATTACK, bytes([start, end]))
    state.attacked = True
    state.hand_over([end], state.mover)
    state.test_hero(state.mover)
    item, draw = state.items.pop(end, None), NO_DRAW
    if item is not None and item.fat:
        collect(state, state.mover, end)
    elif item is not None:
        state.collecting, draw = end, COLLECT
    state.enter(ACTION if PORT_TOO in state.used and not state.built else MOVE, draw)


def attack(state: ConquestState, pairs: bytes) -> None:
    """Launch attacks. The next draw decides them. `pairs`: from and to, one byte each."""
    _need_phase(state, ACTION)
    launched = tuple(zip(pairs[::2], pairs[1::2], strict=False))
    if len(pairs) % 2:
        raise Refusal("BadCount", len(pairs), 1, MAX_PAIRS)
    if not 1 <= len(launched) <= MAX_PAIRS:
        raise Refusal("BadCount", len(launched), 1, MAX_PAIRS)
    _need_lands(state, *pairs)
    if state.attacked:
        raise Refusal("OncePerTurn", ATTACK)
    _need_permitted(state, launched)
    state.commanded(ATTACK, pairs)
    state.attacked, state.pairs = True, launched
    state.enter(ACTION, BATTLE)


def _need_permitted(state: ConquestState, launched: Sequence[tuple[int, int]]) -> None:
    """Check each attack as if it were the first."""
    divisor, distant = power_divisor(state, len(launched)), DISTANT in state.used
    for index, (start, end) in enumerate(launched):
        _need_own(state, start)
        if state.owners[end] in (state.mover, NONE):
            raise Refusal("NotEnemy", end, state.owners[end])
        way = state.connection(start, end)
        if way == BY_NOTHING:
            if not distant or end in state.capitals:
                raise Refusal("NotConnected", start, end)
            distant = False
        attack20, needed20 = powers(state, start, end)
        needed20 *= divisor * (2 if way == BY_SEA else 1)
        if attack20 <= needed20:
            raise Refusal("NotStronger", index, attack20, needed20)


def move(state: ConquestState, start: int, end: int, quarters: int, hero: bool) -> None:
    """Move quarters of the soldiers, and the hero if `hero` is True. This ends the turn.
    Soldiers above the target land's limit stay."""
    _need_phase(state, MOVE)
    _need_lands(state, start, end)
    if not 1 <= quarters <= QUARTERS:
        raise Refusal("BadRatio", quarters)
    _need_own(state, start)
    _need_own(state, end)
    if state.connection(start, end) == BY_NOTHING:
        raise Refusal("NotConnected", start, end)
    if hero and state.heroes[state.mover] != start:
        raise Refusal("NoHero", start)
    moved = min(state.soldiers[start] * quarters // QUARTERS, MOST_SOLDIERS - state.soldiers[end])
    if not moved and not hero:
        raise Refusal("NothingToMove", start)
    state.commanded(MOVING, bytes([start, end, quarters, hero]))
    state.count({start: state.soldiers[start] - moved, end: state.soldiers[end] + moved})
    if hero:
        state.heroes[state.mover] = end
        state.emit("HeroAt", seat=state.mover, land=end)
    end_turn(state)


def forced_pass(state: ConquestState) -> None:
    """Pass for the mover, whose clock has run out.
    A player without a capital, or after three such passes in a row, is out."""
    state.commanded(PASS, bytes([FORCED_PASS]), forced=True)
    if state.phase == CAPITAL or state.forced[state.mover] == FORCED_LIMIT:
        leave_map(state, TIMEOUT)
    else:
        end_turn(state, forced=True)


def _need_phase(state: ConquestState, phase: int) -> None:
    if state.phase != phase and (phase != ANY_PHASE or state.phase == CAPITAL):
        raise Refusal("WrongPhase", state.phase, phase)


def _need_lands(state: ConquestState, *lands: int) -> None:
    for land in lands:
        if land >= state.graph.lands:
            raise Refusal("NoSuchLand", land, state.graph.lands)


def _need_own(state: ConquestState, land: int) -> None:
    if state.owners[land] != state.mover:
        raise Refusal("NotYourLand", land, state.owners[land])


def _need_neutral(state: ConquestState, land: int) -> None:
    if state.owners[land] != NONE:
        raise Refusal("NotNeutral", land, state.owners[land])
