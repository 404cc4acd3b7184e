"""Loads the replay of a match from the index or from a replay file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import orjson

from api.problems import Problem
from api.rest.replay_file import StreamInterrupted, stream
from chainboard.errors import UserError
from chainboard.indexing.database import existing_store
from chainboard.settings import Settings
from indexer.games import GAMES
from indexer.model import Json, MatchKey
from indexer.store.db.engine import StoreError
from replay.file import read


def chunks(settings: Settings, source: MatchKey | Path) -> Iterator[bytes]:
    """Yield the content of the replay file in chunks. Raises UserError if there is no such match,
    and ReplayError if the given file isn't a replay."""
    if isinstance(source, Path):
        yield orjson.dumps(read(source))
        return
    with closing(existing_store(settings)) as store:
        try:
            yield from stream(store.read, GAMES[source[0]], source[1])
        except Problem as problem:
            raise UserError(problem.detail) from problem
        except (StoreError, StreamInterrupted) as error:
            raise UserError(str(error)) from error


def load(settings: Settings, source: MatchKey | Path) -> Json:
    """Return the whole replay. Raises the same errors as `chunks`."""
    if isinstance(source, Path):
        return read(source)
    found: Json = orjson.loads(b"".join(chunks(settings, source)))
    return found
