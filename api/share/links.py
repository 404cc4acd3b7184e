"""Finds the match or board that a shared link names, describes it, and returns the data for its
picture."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from api.names.account_names import name_of
from api.rest.lookup import match_at
from api.shapes.events import event as event_shape
from api.static.texts import text
from indexer.gamekit.game import Game, board_hash
from indexer.gamekit.names import MAX_MATCH
from indexer.model import Event, Json, match_name
from indexer.store.snapshot import Snapshot

LINK = re.compile(r"(?P<id>[0-9]{1,15})(?:@(?P<seq>[0-9]{1,10}))?")
EVENTS_BEFORE = 20
"""The number of earlier events that the drawing function gets. The function may need these
events to show the last move. replay.timeline passes the same number."""
LISTED_PLAYERS = 4


class BadLink(Exception):
    """The link leads to no board. The message explains this in the reader's language."""


@dataclass(frozen=True, slots=True)
class SharedBoard:
    """The board that a link names. `seq` is the event number in the link, or None for the current
    board."""

    game: Game
    match: int
    seq: int | None
    event: Event
    last: int
    board: Json

    @property
    def path(self) -> str:
        """The part of the link's path after `/m/`."""
        return f"{self.game.slug}/{self.match}" + (f"@{self.seq}" if self.seq else "")

    def title(self, language: str) -> str:
        return text(language, "match.title", game=self.game.title, id=self.match)

    @property
    def players(self) -> list[str]:
        """The accounts of the players, in the order of their seats."""
        seats = self.board.get("players") or {}
        return sorted(seats, key=lambda one: seats[one].get("seat", 0))

    def description(self, language: str, nicknames: Mapping[str, str]) -> str:
        """Return one line for a link preview: the players and the state of the match. `nicknames`
        contains the nicknames of the players who have one."""
        players = self.players
        names = {one: name_of(one) for one in players} | {one: _isolated(name) for one, name in nicknames.items()}
        more = ["…"] if len(players) > LISTED_PLAYERS else []
        listed = [names[one] for one in players[:LISTED_PLAYERS]]
        parts = [" – ".join([*listed, *more]), self._state(language, names)]
        if self.seq is not None:
            parts.append(text(language, "past.of", seq=self.event.seq, last=self.last))
        return " · ".join(filter(None, parts))

    def _state(self, language: str, names: Mapping[str, str]) -> str:
        status, winner = self.board.get("status"), str(self.board.get("winner", ""))
        if winner in names:
            return text(language, "match.won", name=names[winner])
        if self.board.get("reason") == "draw":
            return text(language, "match.draw")
        keys = {"open": "match.waiting", "playing": "share.playing", "cancelled": "match.cancelled"}
        return text(language, keys.get(status or "", "match.ended"))


def _isolated(name: str) -> str:
    """Return a name for a line of text. If the name has right-to-left letters, enclose it in marks,
    so that it doesn't reorder the rest of the line."""
    is_turned = any(unicodedata.bidirectional(one) in ("R", "AL") for one in name)
    return f"\u2068{name}\u2069" if is_turned else name


def find(snapshot: Snapshot, games: Mapping[str, Game], game: str, link: str, language: str) -> SharedBoard:
    """Find the board that `/m/<game>/<link>` names. Raises BadLink if there is none, or Problem 404
    if it has just disappeared."""
    found = LINK.fullmatch(link)
    if found is None:
        raise BadLink(text(language, "page.nothing-there"))
    if game not in games:
        raise BadLink(text(language, "page.no-such-game", game=game[:40]))
    match, seq = int(found["id"]), None if found["seq"] is None else int(found["seq"])
    last = snapshot.last_event(game, match) if 1 <= match <= MAX_MATCH else None
    if last is None:
        raise BadLink(text(language, "page.no-such-match", match=match_name(game, match)))
    if seq is not None and not 1 <= seq <= last.seq:
        raise BadLink(text(language, "past.no-such-event", seq=seq, last=last.seq))
    event = last if seq is None else match_at(snapshot, games[game], match, seq)
    at = snapshot.board(game, match, event.seq)
    assert at is not None  # the event exists, so its board exists too
    return SharedBoard(games[game], match, seq, event, last.seq, at[0])


def still_input(snapshot: Snapshot, shared: SharedBoard) -> Json:
    """Return the input for the page's drawing function, which is `StillInput` in
    history/snapshot.js."""
    first = max(0, shared.event.seq - 1 - EVENTS_BEFORE)
    events = snapshot.events(shared.game.slug, shared.match, first, limit=shared.event.seq - first)
    same = [one for one in events if (one.hash, one.tx) == (shared.event.hash, shared.event.tx)]
    return {
        "match": match_name(shared.game.slug, shared.match),
        "title": shared.game.title,
        "board": shared.board,
        "events": [event_shape(one) for one in same],
        "last": shared.last,
        "before": [event_shape(one) for one in events if one not in same],
    }


def picture_key(shared: SharedBoard, language: str, site: str) -> str:
    """Return a hash of the board and of everything else that its picture shows."""
    parts = (shared.path, language, site, shared.event.hash, shared.last, board_hash(shared.board))
    return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()
