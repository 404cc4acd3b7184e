"""The matches with recent events. A node could hide their newest events.

To find hidden events, the fetcher tests each new header's Bloom filter for the ids of these
matches. The follower compares the last event number of a match with the contract's number
(`seqOf`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.lru import LruDict
from indexer.model import Event, MatchKey

MAX_MATCHES = 2_000
LOOKAHEAD = 4
"""The number of future match ids to test per game. A block usually opens one or two matches."""


class RecentMatches:
    """The recent matches, each with the number of its last event (`seq`). `unconfirmed` contains
    only those whose number hasn't been compared with the contract's number yet."""

    def __init__(self, latest: Mapping[MatchKey, int], unconfirmed: Mapping[MatchKey, int]) -> None:
        self._seqs, self.unconfirmed = LruDict[MatchKey, int](MAX_MATCHES), dict(unconfirmed)
        for key, seq in latest.items():
            self._seqs[key] = seq
        self._topics: set[str] = set()
        self.skipped_blocks = True
        """True if the Bloom filters of some blocks were not tested. In this case, events of recent
        matches might be missing."""

    def topics(self) -> set[str]:
        """Return the ids of the recent matches and of the next matches, as log topics."""
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
        """Return the matches whose event numbers must be checked at the head, with the last number
        of each.

        These are the unconfirmed matches and the matches in `events`. A Bloom filter can't
        distinguish games, so recent matches of other games with the same ids are added. If blocks
        were skipped, all recent matches are added."""
        new = {(event.game, event.match): event.seq for event in events}
        numbers = {match for _, match in new}
        others = {key: seq for key, seq in self._seqs.items() if self.skipped_blocks or key[1] in numbers}
        return others | self.unconfirmed | new

    def record(self, events: Iterable[Event], confirmed: bool) -> None:
        """Record stored events. `confirmed`: True if the contracts reported the same numbers."""
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
