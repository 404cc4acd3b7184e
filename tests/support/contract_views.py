"""A contract's own view of a match beside the folded board: each game's two sides in one shape."""

from __future__ import annotations

from typing import Any

from indexer.gamekit.contract_view import STATUS
from indexer.games import GAMES
from indexer.model import Json

__all__ = ["STATUS", "chain_view", "public"]


def chain_view(slug: str, raw: Any) -> Json:
    """The contract's `board(matchId)`, as web3.py gives it with named tuples, in the shape of `public`."""
    view = GAMES[slug].from_contract
    assert view is not None
    return {"seq": raw.seq, **view(_plain(raw))}


def public(slug: str, board: Json, seq: int) -> Json:
    """What a folded board and the contract's view both tell."""
    shown = GAMES[slug].from_board
    assert shown is not None
    return {"seq": seq, **shown(board)}


def _plain(value: Any) -> Any:
    """As the product has it: structs as objects, bytes as 0x hex."""
    if hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return "0x" + value.hex() if isinstance(value, bytes) else value
