"""The order of play: who chooses a capital, whose turn it is, and what happens when players
leave."""

from __future__ import annotations

from indexer.rules.conquest_state.state import CAPITAL, DRAW, LAST_PLY, NONE, REINFORCEMENT, TURN, TWO_TURNS
from indexer.rules.conquest_state.state import ConquestState as State


def begin_capitals(state: State, first: int) -> None:
    """Start the choice of capitals. The player who plays first chooses last."""
    state.first = first
    _choose_next(state, (first - 1) % state.seats)


def capital_chosen(state: State) -> None:
    """Continue after the mover has chosen a capital or is out of the match. The next player
    chooses. After the last player, the first turn begins."""
    if state.mover == state.first:
        _begin_turn(state, state.first)
    else:
        _choose_next(state, (state.mover - 1) % state.seats)


def _choose_next(state: State, seat: int) -> None:
    """Let the next living player choose. Search downwards from this seat."""
    while not state.is_alive(seat):
        if seat == state.first:
            _begin_turn(state, seat)
            return
        seat = (seat - 1) % state.seats
    state.mover = seat
    state.enter(CAPITAL)


def _begin_turn(state: State, seat: int) -> None:
    """Start the turn of the next living player. Search upwards from this seat."""
    while not state.is_alive(seat):
        seat = (seat + 1) % state.seats
    state.mover = seat
    state.enter(REINFORCEMENT, TURN)


def end_turn(state: State, forced: bool = False) -> None:
    """Start the next turn, or end the match as a draw."""
    again = TWO_TURNS in state.used and not forced and state.is_alive(state.mover)
    state.used, state.attacked, state.built = frozenset(), False, False
    if state.ply >= LAST_PLY:
        state.end(NONE, DRAW)
    else:
        _begin_turn(state, state.mover if again else (state.mover + 1) % state.seats)


def leave_map(state: State, reason: int) -> None:
    """Put the mover out of the match. The player's lands become neutral and keep their soldiers.
    This ends the match if only one player is left."""
    seat = state.mover
    state.eliminate(seat, NONE, reason)
    lands = state.lands(seat)
    if lands:
        state.transfer_lands(lands, NONE)
    if state.end_if_one_is_alive(reason):
        return
    if state.phase == CAPITAL:
        capital_chosen(state)
    else:
        end_turn(state)
