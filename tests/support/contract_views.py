"""Converts two boards to the same format, so that tests can compare them: the board that the
contract returns, and the board that the reducer folds from events."""

from __future__ import annotations

from typing import Any

from indexer.gamekit.contract_view import STATUS
from indexer.games import GAMES
from indexer.model import Json

__all__ = ["STATUS", "chain_view", "public"]


def chain_view(slug: str, raw: Any) -> Json:
    """Convert the result of the contract's `board(matchId)` to the format that the function
    `public` returns. web3.py returns the result as named tuples."""
    view = GAMES[slug].from_contract
    assert view is not None
    return {"seq": raw.seq, **view(_plain(raw))}


def public(slug: str, board: Json, seq: int) -> Json:
    """Return the parts of a folded board that the contract also returns."""
    shown = GAMES[slug].from_board
    assert shown is not None
    return {"seq": seq, **shown(board)}


def _plain(value: Any) -> Any:
    """Convert a value to the types that boards use: structs become objects, and bytes become 0x
    hex."""
    if hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return "0x" + value.hex() if isinstance(value, bytes) else value
