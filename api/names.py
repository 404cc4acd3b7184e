"""The names of matches, `<game>/<id>`, as they come from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping

from indexer.game import Game

MAX_MATCH = 2**48 - 1
"""A match's number is a uint48 on the chain."""

NAME = re.compile(r"(?P<game>[a-z0-9-]{1,64})/(?P<match>[0-9]{1,15})")


class BadName(ValueError):
    """The name can't be that of a match here; the message says why."""


def parse(games: Mapping[str, Game], name: str) -> tuple[Game, int]:
    """The game and number. Raises BadName."""
    found = NAME.fullmatch(name)
    if found is None or not 1 <= int(found["match"]) <= MAX_MATCH:
        raise BadName(f"A match is named <game>/<id> with an id from 1 to {MAX_MATCH}, not {name[:100]!r}.")
    if found["game"] not in games:
        raise BadName(f"There is no game {found['game']!r}; the games: {', '.join(sorted(games)) or 'none'}.")
    return games[found["game"]], int(found["match"])
