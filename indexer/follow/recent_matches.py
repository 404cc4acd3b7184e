"""Recently active matches, whose events a node could hide.

Each new header's bloom is tested for their ids, and the contract's `seqOf` is compared with our
last `seq`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.lru import LruDict
from indexer.model import Event, MatchKey

MAX_MATCHES = 2_000
LOOKAHEAD = 4
"""Number of future match ids that are tested too. A block usually opens one or two."""


class RecentMatches:
    """The recent matches. `unconfirmed`: those whose last `seq` the contract hasn't confirmed."""

    def __init__(self, latest: Mapping[MatchKey, int], unconfirmed: Mapping[MatchKey, int]) -> None:
        self._seqs, self.unconfirmed = LruDict[MatchKey, int](MAX_MATCHES), dict(unconfirmed)
        for key, seq in latest.items():
            self._seqs[key] = seq
        self._topics: set[str] = set()
        self.skipped_blocks = True
        """True if some blocks were not tested, so that any recent match may lack an event."""

    def topics(self) -> set[str]:
        """Return the ids as log topics: those of all games together, and the next ids of each."""
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

        These are the matches with new events, and those of other games with the same id because a
        bloom can't distinguish them."""
        new = {(event.game, event.match): event.seq for event in events}
        numbers = {match for _, match in new}
        others = {key: seq for key, seq in self._seqs.items() if self.skipped_blocks or key[1] in numbers}
        return others | self.unconfirmed | new

    def record(self, events: Iterable[Event], confirmed: bool) -> None:
        """Record stored events. `confirmed`: the contracts' `seqOf` agreed."""
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
