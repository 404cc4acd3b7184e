"""The rules of Conquest: the events that a contract call emits. The package `conquest_state` does
the work."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.call import Call, Emitted
from indexer.rules.conquest_state.boards import match_of


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove. Rematches and
    session keys are not checked here, only in the contract."""
    return match_of(board, call.match).apply_call(call)
