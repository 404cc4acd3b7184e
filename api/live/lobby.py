"""The lobby is a board. It lists the live, open and latest matches of each game, and counts them.

The board is `{"games": {slug: {"featured", "board", "counts", "more", "seeking"}}, "matches":
{name: summary}}`. It is keyed by game and by match, so that a change is a small patch. The lists
come from indexer/store/lobby_queries.py and are cut so that the board fits into one message."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from itertools import islice

from api.live.pairing import Pairing
from api.live.presence import Presence
from api.shapes.matches import lobby_row
from indexer.gamekit.game import Game, canonical, diff
from indexer.gamekit.names import BadName, parse_match
from indexer.model import Json, MatchKey, match_name
from indexer.store.lobby_queries import Listing, Live
from indexer.store.snapshot import Snapshot

MAX_BYTES = 60 * 1024
"""The maximum number of bytes for all games together, which keeps a message below 64 KiB. All games
have an equal share, so that a game with many matches doesn't displace other games' matches."""
MAX_REMEMBERED = 10_000
"""The number of matches whose last status is remembered. While a match's status stays the same, the
lobby has fewer lists to reread."""
BATCH = 1000
"""The maximum number of changed matches that are read individually. If more have changed, the whole
lobby is read again."""
LIVE_SECONDS = 120
"""The seconds after a match's last move during which the match counts as live even if no player is
watching it."""
BOARD_BYTES = 4 * 1024
"""The maximum size, in bytes, of a featured match's board. The lobby leaves out a larger board, and
clients fetch it with GET."""


class Lobby:
    """The board that watchers of `lobby` receive. After a change, the lobby reads only the changed
    matches and their games' lists again."""

    def __init__(
        self,
        games: Mapping[str, Game],
        presence: Presence | None = None,
        now: Callable[[], float] = time.time,
        pairing: Pairing | None = None,
    ) -> None:
        """Without `presence`, no watchers are counted. Without `pairing`, no waiting players are
        counted. `now` returns seconds since 1970."""
        self._games = {slug: games[slug] for slug in sorted(games)}
        self._presence = presence or Presence(lambda _match: frozenset())
        self._pairing, self._now = pairing, now
        self._budget = MAX_BYTES // max(1, len(games))
        self._statuses: dict[MatchKey, str] = {}
        self._listings: dict[str, Listing] = {}
        self._live: dict[str, Live] = {}
        self._rows: dict[MatchKey, Json] = {}
        self._openers: dict[MatchKey, str] = {}
        self._boards: dict[MatchKey, Json | None] = {}
        self._parts: dict[str, tuple[Json, dict[str, Json]]] = {}
        self.board: Json = {"games": {}, "matches": {}}

    def load(self, snapshot: Snapshot) -> Json:
        """Read the whole lobby. Return the patch that turns the previous board into the new one."""
        for known in (self._statuses, self._rows, self._openers, self._boards):
            known.clear()
        return self._update(snapshot, {game: snapshot.listing(game) for game in self._games})

    def advance(self, snapshot: Snapshot, touched: Iterable[MatchKey]) -> Json:
        """Read the changed matches, and the matches that have newly appeared in the lists. Return
        the patch to the previous board."""
        keys = set(touched)
        if len(keys) > BATCH:
            return self.load(snapshot)
        matches: dict[str, set[int]] = {}
        for game, match in keys:
            matches.setdefault(game, set()).add(match)
            self._rows.pop((game, match), None)
            self._boards.pop((game, match), None)
        return self._update(snapshot, {game: self._list(snapshot, game, numbers) for game, numbers in matches.items()})

    def _list(self, snapshot: Snapshot, game: str, touched: Collection[int]) -> Listing:
        """Return a game's lists after changes to these matches. The open matches and the counts are
        read again only if a match has changed its status."""
        after = snapshot.statuses_of(game, touched)
        same = all(self._statuses.get((game, match)) == status for match, status in after.items())
        self._statuses |= {(game, match): status for match, status in after.items()}
        for key in list(islice(self._statuses, max(0, len(self._statuses) - MAX_REMEMBERED))):
            del self._statuses[key]
        return (
            snapshot.refresh_listing(game, self._listings[game], set(after.values()))
            if same
            else snapshot.listing(game)
        )

    def _update(self, snapshot: Snapshot, listings: Mapping[str, Listing]) -> Json:
        self._listings |= listings
        self._live |= self._find_live(snapshot, listings)
        for game in listings:
            self._read(snapshot, game)
        self._parts |= {game: self._part(game) for game in listings}
        before = self.board
        self.board = {
            "games": {game: part for game, (part, _rows) in self._parts.items()},
            "matches": {name: row for _part, rows in self._parts.values() for name, row in rows.items()},
        }
        return diff(before, self.board)

    def refresh(self, snapshot: Snapshot) -> Json:
        """Check again which matches are live and which openers are present. Return the patch to the
        previous board."""
        return self._update(snapshot, self._listings)

    def _find_live(self, snapshot: Snapshot, games: Iterable[str]) -> dict[str, Live]:
        """Find the live matches of these games. A development chain's time can be ahead of the
        clock, so the current time is the later of the clock's and the last block's time."""
        tip = snapshot.tip()
        since = max(self._now(), tip.time if tip else 0) - LIVE_SECONDS
        claims: dict[str, dict[int, Collection[str]]] = {}
        for name, accounts in self._presence.present_accounts().items():
            with suppress(BadName):  # a gateway with a different version can report names that are unknown here
                game, match = parse_match(self._games, name)
                claims.setdefault(game.slug, {})[match] = accounts
        return {game: snapshot.live(game, since, claims.get(game, {})) for game in games}

    def _listed(self, game: str) -> list[int]:
        """Return a game's matches, the most important first: matches with players present, then
        open matches whose opener is present, then the rest."""
        live, found = self._live[game], self._listings[game]
        return list(dict.fromkeys((*live.playing, *live.waiting, *found.open, *found.others)))

    def _read(self, snapshot: Snapshot, game: str) -> None:
        """Read the listed matches that are not cached yet. Remove matches from the cache that are
        no longer listed."""
        listed, featured = self._listed(game), self._live[game].playing[:1]
        listed_keys = {(game, match) for match in listed}
        for cache in (self._rows, self._openers, self._boards):
            for key in [key for key in cache if key[0] == game and key not in listed_keys]:
                del cache[key]
        missing = {match for match in listed if (game, match) not in self._rows}
        missing |= {match for match in featured if (game, match) not in self._boards}
        for match, summary in snapshot.summaries_of(game, missing).items():
            self._rows[game, match] = lobby_row(summary)
            self._openers[game, match] = summary.opener
            if match in featured:
                fits = len(canonical(summary.board)) <= BOARD_BYTES
                self._boards[game, match] = summary.board if fits else None

    def _part(self, game: str) -> tuple[Json, dict[str, Json]]:
        """Return a game's entry with as many of its rows as fit, the most important ones first. The
        featured match's board is added last, because clients can also fetch it with GET."""
        found, live = self._listings[game], self._live[game]
        featured = next(iter(live.playing), None)
        part: Json = {"counts": {**found.counts, "live": live.total}, "more": found.more}
        if featured is not None:
            part["featured"] = match_name(game, featured)
        seeking = self._pairing.waiting.get(game) if self._pairing else None
        if seeking:
            part["seeking"] = {str(clock): n for clock, n in seeking.items()}
        rows: dict[str, Json] = {}
        budget = self._budget - _size(game, part)
        for match in self._listed(game):
            name, row = match_name(game, match), self._row(game, match)
            budget -= _size(name, row)
            if budget < 0:
                break
            rows[name] = row
        board = self._boards.get((game, featured)) if featured is not None else None
        if board is not None and _size("board", board) <= budget:
            part["board"] = board
        return part, rows

    def _row(self, game: str, match: int) -> Json:
        """Return a match's row. An open match has `attended`, which is true if its opener is
        present. A live match has `live`, which is always true."""
        row = self._rows[game, match]
        if row["status"] == "open":
            attended = self._presence.is_present(match_name(game, match), self._openers[game, match])
            return {**row, "attended": attended}
        return {**row, "live": True} if match in self._live[game].playing else row


def _size(name: str, value: object) -> int:
    """Return the size of a member of a JSON object in bytes, including its quotes, colon and
    comma."""
    return len(canonical(value)) + len(name) + len('"":,')
