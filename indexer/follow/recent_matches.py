"""The recently active matches. A node could hide their newest events.

The bloom of each new header is tested for the ids of these matches, and the contract's `seqOf` is
compared with our last `seq`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.lru import LruDict
from indexer.model import Event, MatchKey

MAX_MATCHES = 2_000
LOOKAHEAD = 4
"""The number of future match ids that are also tested. A block usually opens one or two matches."""


class RecentMatches:
    """The recent matches. `unconfirmed`: the matches whose last `seq` the contract hasn't
    confirmed, with that `seq`."""

    def __init__(self, latest: Mapping[MatchKey, int], unconfirmed: Mapping[MatchKey, int]) -> None:
        self._seqs, self.unconfirmed = LruDict[MatchKey, int](MAX_MATCHES), dict(unconfirmed)
        for key, seq in latest.items():
            self._seqs[key] = seq
        self._topics: set[str] = set()
        self.skipped_blocks = True
        """True if some blocks were not tested, so that recent matches might lack events."""

    def topics(self) -> set[str]:
        """Return the ids of the recent matches and the next ids of each game, as log topics."""
        if not self._topics:
            self._topics = {f"0x{number:064x}" for number in self._match_ids()}
        return self._topics

    def _match_ids(self) -> set[int]:
        last: dict[str, int] = {}
        for game, match in self._seqs:
            last[game] = max(match, last.get(game, 0))
        new_events = (number + offset for number in {0, *last.values()} for offset in range(1, LOOKAHEAD + 1))
        return {*(match for _, match in self._seqs), *new_events}

    def seqs_to_check(self, events: Iterable[Event]) -> dict[MatchKey, int]:
        """Return the matches to check at the head, with their last `seq`.

        These are the unconfirmed matches and the matches with new events. Recent matches of other
        games with the same ids are added, because a bloom can't tell games apart. If blocks were
        skipped, all recent matches are added."""
        new = {(event.game, event.match): event.seq for event in events}
        numbers = {match for _, match in new}
        others = {key: seq for key, seq in self._seqs.items() if self.skipped_blocks or key[1] in numbers}
        return others | self.unconfirmed | new

    def record(self, events: Iterable[Event], confirmed: bool) -> None:
        """Record stored events. `confirmed`: true if the contracts' `seqOf` agreed."""
        if confirmed:
            self.unconfirmed.clear()
            self.skipped_blocks = False
        for event in events:
            key = event.game, event.match
            if key not in self._seqs:
                self._topics = set()
            self._seqs[key] = event.seq
            if not confirmed:
                self.unconfirmed[key] = event.seq
