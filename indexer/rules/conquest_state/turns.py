"""The order of play: who chooses a capital, whose turn it is, and what happens when a player
leaves."""

from __future__ import annotations

from indexer.rules.conquest_state.state import CAPITAL, DRAW, LAST_PLY, NONE, REINFORCEMENT, TURN, TWO_TURNS
from indexer.rules.conquest_state.state import ConquestState as State


def begin_capitals(state: State, first: int) -> None:
    """Let the players choose their capitals. The player who will play first chooses last."""
    state.first = first
    _choose_next(state, (first - 1) % state.seats)


def capital_chosen(state: State) -> None:
    """Continue after a player has chosen a capital or left the match. The next player chooses. If
    that was the last player, the first turn begins."""
    if state.mover == state.first:
        _begin_turn(state, state.first)
    else:
        _choose_next(state, (state.mover - 1) % state.seats)


def _choose_next(state: State, seat: int) -> None:
    """Let the next living player choose a capital. Search from `seat` downwards."""
    while not state.is_alive(seat):
        if seat == state.first:
            _begin_turn(state, seat)
            return
        seat = (seat - 1) % state.seats
    state.mover = seat
    state.enter(CAPITAL)


def _begin_turn(state: State, seat: int) -> None:
    """Start the turn of the next player who is alive. The search starts at `seat` and goes up."""
    while not state.is_alive(seat):
        seat = (seat + 1) % state.seats
    state.mover = seat
    state.enter(REINFORCEMENT, TURN)


def end_turn(state: State, forced: bool = False) -> None:
    """Start the next turn. After the last allowed command, end the match as a draw instead."""
    again = TWO_TURNS in state.used and not forced and state.is_alive(state.mover)
    state.used, state.attacked, state.built = frozenset(), False, False
    if state.ply >= LAST_PLY:
        state.end(NONE, DRAW)
    else:
        _begin_turn(state, state.mover if again else (state.mover + 1) % state.seats)


def leave_map(state: State, reason: int) -> None:
    """Remove the player to move from the match. The player's lands become neutral and keep their
    soldiers. If only one player is left, the match ends."""
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
