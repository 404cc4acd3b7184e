"""The commands that the player to move can give.

A command makes all checks in the contract's order before it changes anything. It raises CustomError
if a check fails."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.rules.conquest_state.battle import power_divisor, powers
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.graph import BY_NOTHING, BY_SEA
from indexer.rules.conquest_state.items import collect
from indexer.rules.conquest_state.state import (
    ACTION,
    BATTLE,
    CAPITAL,
    COLLECT,
    DISTANT,
    MAX_SOLDIERS_PER_LAND,
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
"""The kinds of commands."""
TURN_PASS, PHASE_PASS, FORCED_PASS = range(3)
ANY_PHASE = 255
SOLDIERS_PER_LAND = 3
MAX_PAIRS = 16
QUARTERS = 4
FORCED_LIMIT = 3


def choose_capital(state: ConquestState, land: int) -> None:
    _require_phase(state, CAPITAL)
    _require_lands(state, land)
    _require_neutral(state, land)
    state.record_command(CHOOSE, bytes([land]))
    state.capitals[state.mover] = land
    state.transfer_lands([land], state.mover)
    capital_chosen(state)


def reinforce(state: ConquestState, land: int) -> None:
    _require_phase(state, REINFORCEMENT)
    _require_lands(state, land)
    _require_own(state, land)
    state.record_command(REINFORCE, bytes([land]))
    state.set_soldiers({land: state.soldiers[land] + SOLDIERS_PER_LAND * len(state.lands(state.mover))})
    state.enter(ACTION)


def build_port(state: ConquestState, land: int) -> None:
    _require_phase(state, ACTION)
    _require_lands(state, land)
    if state.built:
        raise CustomError("OncePerTurn", PORT)
    _require_own(state, land)
    if not state.graph.touches_water(land):
        raise CustomError("NoWater", land)
    if state.ports >> land & 1:
        raise CustomError("PortThere", land)
    state.record_command(PORT, bytes([land]))
    state.ports |= 1 << land
    state.built = True
    state.emit("PortBuilt", land=land)
    state.enter(ACTION if PORT_TOO in state.used and not state.attacked else MOVE)


def pass_on(state: ConquestState, phase_only: bool) -> None:
    """Pass the phase Action (`phase_only`), or the rest of the turn. The rest of the turn can be
    passed in any phase."""
    _require_phase(state, ACTION if phase_only else ANY_PHASE)
    state.record_command(PASS, bytes([PHASE_PASS if phase_only else TURN_PASS]))
    if phase_only:
        state.enter(MOVE)
    else:
        end_turn(state)


def surrender(state: ConquestState) -> None:
    state.record_command(SURRENDER)
    leave_map(state, RESIGNED)


def use_item(state: ConquestState) -> None:
    _require_phase(state, ANY_PHASE)
    item = state.stored[state.mover]
    if not item:
        raise CustomError("NoItem")
    state.record_command(USE)
    state.stored[state.mover] = 0
    state.used |= {item}
    state.emit("ItemUsed", seat=state.mover, item=item)


def capture(state: ConquestState, start: int, end: int) -> None:
    """Capture a neutral land. If the land has an item that isn't fat, a random draw decides which
    item it is."""
    _require_phase(state, ACTION)
    _require_lands(state, start, end)
    if state.attacked:
        raise CustomError("OncePerTurn", ATTACK)
    _require_own(state, start)
    _require_neutral(state, end)
    if state.connection(start, end) == BY_NOTHING and DISTANT not in state.used:
        raise CustomError("NotConnected", start, end)
    state.record_command(ATTACK, bytes([start, end]))
    state.attacked = True
    state.transfer_lands([end], state.mover)
    state.award_hero(state.mover)
    item, draw = state.items.pop(end, None), NO_DRAW
    if item is not None and item.fat:
        collect(state, state.mover, end)
    elif item is not None:
        state.collecting, draw = end, COLLECT
    state.enter(ACTION if PORT_TOO in state.used and not state.built else MOVE, draw)


def attack(state: ConquestState, pairs: bytes) -> None:
    """Launch attacks, which the next random draw decides. `pairs` has two bytes per attack: the
    land that attacks, and its target."""
    _require_phase(state, ACTION)
    launched = tuple(zip(pairs[::2], pairs[1::2], strict=False))
    if len(pairs) % 2:
        raise CustomError("BadCount", len(pairs), 1, MAX_PAIRS)
    if not 1 <= len(launched) <= MAX_PAIRS:
        raise CustomError("BadCount", len(launched), 1, MAX_PAIRS)
    _require_lands(state, *pairs)
    if state.attacked:
        raise CustomError("OncePerTurn", ATTACK)
    _require_permitted(state, launched)
    state.record_command(ATTACK, pairs)
    state.attacked, state.pairs = True, launched
    state.enter(ACTION, BATTLE)


def _require_permitted(state: ConquestState, launched: Sequence[tuple[int, int]]) -> None:
    """Check each attack as if no other attack had changed the map. Raises CustomError."""
    divisor, distant = power_divisor(state, len(launched)), DISTANT in state.used
    for index, (start, end) in enumerate(launched):
        _require_own(state, start)
        if state.owners[end] in (state.mover, NONE):
            raise CustomError("NotEnemy", end, state.owners[end])
        way = state.connection(start, end)
        if way == BY_NOTHING:
            if not distant or end in state.capitals:
                raise CustomError("NotConnected", start, end)
            distant = False
        attack20, needed20 = powers(state, start, end)
        needed20 *= divisor * (2 if way == BY_SEA else 1)
        if attack20 <= needed20:
            raise CustomError("NotStronger", index, attack20, needed20)


def move(state: ConquestState, start: int, end: int, quarters: int, hero: bool) -> None:
    """Move the given number of quarters of a land's soldiers and, if `hero` is true, the hero.
    Soldiers that don't fit into the target stay behind. This ends the turn."""
    _require_phase(state, MOVE)
    _require_lands(state, start, end)
    if not 1 <= quarters <= QUARTERS:
        raise CustomError("BadRatio", quarters)
    _require_own(state, start)
    _require_own(state, end)
    if state.connection(start, end) == BY_NOTHING:
        raise CustomError("NotConnected", start, end)
    if hero and state.heroes[state.mover] != start:
        raise CustomError("NoHero", start)
    moved = min(state.soldiers[start] * quarters // QUARTERS, MAX_SOLDIERS_PER_LAND - state.soldiers[end])
    if not moved and not hero:
        raise CustomError("NothingToMove", start)
    state.record_command(MOVING, bytes([start, end, quarters, hero]))
    state.set_soldiers({start: state.soldiers[start] - moved, end: state.soldiers[end] + moved})
    if hero:
        state.heroes[state.mover] = end
        state.emit("HeroAt", seat=state.mover, land=end)
    end_turn(state)


def forced_pass(state: ConquestState) -> None:
    """Pass for the player to move, whose clock has run out. The player must leave the match if this
    happens during the choice of capitals, or for the third time in a row."""
    state.record_command(PASS, bytes([FORCED_PASS]), forced=True)
    if state.phase == CAPITAL or state.forced[state.mover] == FORCED_LIMIT:
        leave_map(state, TIMEOUT)
    else:
        end_turn(state, forced=True)


def _require_phase(state: ConquestState, phase: int) -> None:
    if state.phase != phase and (phase != ANY_PHASE or state.phase == CAPITAL):
        raise CustomError("WrongPhase", state.phase, phase)


def _require_lands(state: ConquestState, *lands: int) -> None:
    for land in lands:
        if land >= state.graph.lands:
            raise CustomError("NoSuchLand", land, state.graph.lands)


def _require_own(state: ConquestState, land: int) -> None:
    if state.owners[land] != state.mover:
        raise CustomError("NotYourLand", land, state.owners[land])


def _require_neutral(state: ConquestState, land: int) -> None:
    if state.owners[land] != NONE:
        raise CustomError("NotNeutral", land, state.owners[land])
