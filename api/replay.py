"""The replay file: one match, whole, as JSON that proves itself against the chain. docs/replay.md is about it."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from api import wire
from api.lookup import deployment_of, match_at
from indexer.game import Game, board_hash, diff, fold
from indexer.model import Json, match_name
from indexer.view import View

FORMAT, VERSION = "chainboard-replay", 1
AT_ONCE = 1000
"""Events that are read, and given out, together."""


def pieces(view: View, game: Game, match: int) -> Iterator[bytes]:
    """The file's text, piece by piece, so that a long match needs no more memory than a short one. The view stays open
    meanwhile. Raises Problem 404 before the first piece when there is no such match."""
    yield orjson.dumps(head(view, game, match))[:-1] + b',"events":['
    board, seq = game.start, 0
    while events := view.events(game.slug, match, seq, AT_ONCE):
        told: list[bytes] = []
        for event in events:
            before, board = board, fold(game, board, (event,))
            told.append(orjson.dumps({**wire.event(event), "patch": diff(before, board)}))
        yield (b"," if seq else b"") + b",".join(told)
        seq = events[-1].seq
    yield b"]," + orjson.dumps({"board": board, "boardHash": board_hash(board)})[1:]


def head(view: View, game: Game, match: int) -> Json:
    """What stands before the events: which match, of which chain and contract, and the board before the first event."""
    match_at(view, game, match)
    held = deployment_of(view, game.slug, match)
    chain = view.chain()
    assert chain is not None  # of a match that is there
    return {
        "format": FORMAT,
        "version": VERSION,
        "match": match_name(game.slug, match),
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "chain": {"chainId": chain.chain_id, "genesis": chain.genesis},
        "deployment": {
            "contract": held.contract,
            "address": held.address,
            "block": held.height,
            "blockHash": held.block_hash,
            "codeHash": held.code_hash,
            "firstMatch": held.first_match,
        },
        "start": game.start,
    }
