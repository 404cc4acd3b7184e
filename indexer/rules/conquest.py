"""Conquest's rules: what a call of the contract emits, or why it is refused. The engine is a package of its own."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.call import Call, Emitted
from indexer.rules.conquest_state.boards import match_of


def events(board: Json, call: Call) -> list[Emitted]:
    """What the contract emits for a call. Rematches and session keys it alone judges. Raises IllegalMove."""
    return match_of(board, call.match).judge(call)
