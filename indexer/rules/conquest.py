"""The rules of Conquest: the events that a call emits. The engine is in `conquest_state`."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.call import Call, Emitted
from indexer.rules.conquest_state.boards import match_of


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove.
    Only the contract checks rematches and session keys."""
    return match_of(board, call.match).apply_call(call)
