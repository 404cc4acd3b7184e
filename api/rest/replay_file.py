"""Streams a replay file: a whole match as JSON that anyone can verify against the chain. See
docs/reference/replay.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Final

import orjson

from api.rest.lookup import deployment_of, match_at
from api.shapes.events import event as event_shape
from api.shapes.replay import ReplayEventShape, ReplayPreamble
from indexer.gamekit.game import Game, board_hash, diff, fold
from indexer.model import Chain, Deployment, Event, match_name
from indexer.store.snapshot import Snapshot

FORMAT: Final = "chainboard-replay"
VERSION: Final = 1
BATCH = 1000
"""The number of events that are read from the store and sent together."""


class StreamInterrupted(Exception):
    """A reorg removed events that the server had already sent."""


def stream(reading: Callable[[], AbstractContextManager[Snapshot]], game: Game, match: int) -> Iterator[bytes]:
    """Stream the file's text in pieces, so that a long match needs no more memory than a short one.
    Each piece is read from its own snapshot, so that a slow reader holds no database connection.

    Raises Problem 404 before the first piece if the match does not exist. Raises StreamInterrupted
    later if a reorg removes events that were already sent."""
    with reading() as snapshot:
        first = preamble(snapshot, game, match)
    yield orjson.dumps(first)[:-1] + b',"events":['
    board, seq, last = game.start, 0, None
    while events := _after(reading, game, match, last):
        last, lines = events[-1], list[bytes]()
        for event in events:
            before, board = board, fold(game, board, (event,))
            line: ReplayEventShape = {**event_shape(event), "patch": diff(before, board)}
            lines.append(orjson.dumps(line))
        yield (b"," if seq else b"") + b",".join(lines)
        seq = last.seq
    yield b"]," + orjson.dumps({"board": board, "boardHash": board_hash(board)})[1:]


def _after(
    reading: Callable[[], AbstractContextManager[Snapshot]], game: Game, match: int, last: Event | None
) -> list[Event]:
    """Return the events after the event `last`. Raises StreamInterrupted if a reorg has removed
    `last`."""
    with reading() as snapshot:
        if last is not None and snapshot.event_at(game.slug, match, last.seq) != last:
            raise StreamInterrupted(
                f"a reorg removed event {last.seq} while the server was reading {match_name(game.slug, match)}"
            )
        return snapshot.events(game.slug, match, last.seq if last else 0, BATCH)


def preamble(snapshot: Snapshot, game: Game, match: int) -> ReplayPreamble:
    """Return the members of the file that come before `events`: the match, its chain and contract,
    and the board before the first event."""
    match_at(snapshot, game, match)
    deployment = deployment_of(snapshot, game.slug, match)
    chain = snapshot.chain()
    assert chain is not None  # the match exists, so the chain is known
    return preamble_of(game, match_name(game.slug, match), chain, deployment)


def preamble_of(game: Game, match: str, chain: Chain, deployment: Deployment) -> ReplayPreamble:
    return {
        "format": FORMAT,
        "version": VERSION,
        "match": match,
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "chain": {"chainId": chain.chain_id, "genesis": chain.genesis},
        "deployment": {
            "contract": deployment.contract,
            "address": deployment.address,
            "block": deployment.height,
            "blockHash": deployment.block_hash,
            "codeHash": deployment.code_hash,
            "firstMatch": deployment.first_match,
        },
        "start": game.start,
    }
