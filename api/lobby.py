"""The lobby: the summaries of the latest matches, as a board of its own."""

from __future__ import annotations

from collections.abc import Iterable

from api import wire
from indexer.game import diff
from indexer.model import Json, Summary, match_name
from indexer.view import View

LOBBY = "lobby"
LATEST = 50


class Lobby:
    """The board that `lobby` watchers see. Read anew by the match, so that a busy one doesn't cost fifty boards."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[tuple[int, int], Json]] = {}
        self.board: Json = {"matches": {}}

    def load(self, view: View) -> Json:
        """Reads everything. Returns the patch from what was there before."""
        self._rows = {}
        return self._take(view.summaries(limit=LATEST))

    def advance(self, view: View, touched: Iterable[tuple[str, int]]) -> Json:
        """Reads these matches. Returns the patch."""
        found = [view.summary(game, match) for game, match in touched]
        return self._take([one for one in found if one is not None])

    def _take(self, summaries: Iterable[Summary]) -> Json:
        for one in summaries:
            self._rows[match_name(one.game, one.match)] = (one.key, wire.summary(one))
        latest = sorted(self._rows.items(), key=lambda row: row[1][0], reverse=True)[:LATEST]
        self._rows = dict(latest)
        before, self.board = self.board, {"matches": {name: row for name, (_key, row) in latest}}
        return diff(before, self.board)
