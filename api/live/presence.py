"""Who looks on: how many sockets watch each match, and for which accounts, as their clients claim. Nothing is stored,
and nothing is checked: it is a hint for those who choose whom to play with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar

from api.live.messages import LOBBY
from api.live.send_queue import SendQueue
from indexer.wakeup import Wakeup

T = TypeVar("T")

Accounts: TypeAlias = frozenset[str]
"""Addresses in lower case."""


class Attendance(NamedTuple):
    """Of a match: how many watch it, whether its opener is there, and how many of its players (the opener is one)."""

    watchers: int
    opener_is_here: bool
    players_here: int


@dataclass(frozen=True, slots=True)
class PresenceCounts:
    """How many watch each match, or the lobby, and for which accounts: (topic, address) each."""

    watchers: Mapping[str, int] = field(default_factory=dict)
    claims: frozenset[tuple[str, str]] = frozenset()


class Presence:
    """Counted by one event loop. A client that answers no ping is not counted until it answers again."""

    def __init__(self, accounts_of: Callable[[str], Accounts]) -> None:
        """`accounts_of`: the opener and the players of a match that is watched here."""
        self._accounts_of = accounts_of
        self.changed = Wakeup()
        self._watches: dict[SendQueue, dict[str, Accounts]] = {}
        self._silent: set[SendQueue] = set()
        self._watchers = Counter[str]()
        self._claims = Counter[tuple[str, str]]()
        self._newly_watched: set[str] = set()
        self._sent: dict[str, Attendance] = {}
        self._elsewhere = PresenceCounts()
        self.version = 0
        """Grows with each change here."""

    def here(self) -> PresenceCounts:
        """Who looks on at this gateway alone."""
        return PresenceCounts(dict(self._watchers), frozenset(self._true_claims()))

    def _true_claims(self) -> Iterator[tuple[str, str]]:
        """Those about the lobby, and about a match those for its opener and its players: a client may claim any number
        of accounts. It goes through a copy, as another thread calls it, too."""
        known: dict[str, Accounts] = {}
        for topic, account in list(self._claims):
            if topic not in known:
                known[topic] = self._accounts_of(topic)
            if topic == LOBBY or account in known[topic]:
                yield topic, account

    def set_elsewhere(self, counts: PresenceCounts) -> None:
        """Counts those who look on at other gateways as well."""
        if counts != self._elsewhere:
            self._elsewhere = counts
            self.changed.notify()

    def watch(self, queue: SendQueue, topic: str, accounts: Accounts) -> None:
        """Counts a client for a match, or the lobby; again with other accounts replaces them."""
        self.unwatch(queue, topic)
        self._watches.setdefault(queue, {})[topic] = accounts
        self._newly_watched.add(topic)
        self._count(queue, topic, accounts, 1)

    def unwatch(self, queue: SendQueue, topic: str) -> None:
        """Takes away what `watch` counted, if it did."""
        accounts = self._watches.get(queue, {}).pop(topic, None)
        if accounts is not None:
            self._count(queue, topic, accounts, -1)

    def leave(self, queue: SendQueue) -> None:
        """Takes away all of a client's."""
        for topic in [*self._watches.get(queue, ())]:
            self.unwatch(queue, topic)
        self._watches.pop(queue, None)
        self._silent.discard(queue)

    def silence(self, queue: SendQueue, silent: bool) -> None:
        """Leaves a client out while it answers no ping."""
        if silent == (queue in self._silent):
            return
        watches = self._watches.get(queue, {}).items()
        self._silent.discard(queue)
        for topic, accounts in watches:
            self._count(queue, topic, accounts, -1 if silent else 1)
        if silent:
            self._silent.add(queue)

    def is_silent(self, queue: SendQueue) -> bool:
        """Whether the client answers no ping."""
        return queue in self._silent

    def watchers(self) -> int:
        """How many watches of matches there are here, without the lobby's. Called by another thread for the metrics."""
        return sum(n for topic, n in list(self._watchers.items()) if topic != LOBBY)

    def attends(self, topic: str, account: str) -> bool:
        """Whether a client claims to watch this match, or the lobby, for this account."""
        claims = (topic, account.lower()), (LOBBY, account.lower())
        return any(claim in self._claims or claim in self._elsewhere.claims for claim in claims)

    def accounts_at(self) -> dict[str, set[str]]:
        """By match, those of its opener and its players for whom clients claim to watch it."""
        found: dict[str, set[str]] = {}
        for topic, account in (*self._true_claims(), *self._elsewhere.claims):
            if topic != LOBBY:
                found.setdefault(topic, set()).add(account)
        return found

    def news(self, topics: Collection[str], opener_of: Callable[[str], str]) -> Iterator[tuple[str, Attendance]]:
        """Of each of these matches whose figures changed, or that has a new watcher."""
        self._sent = {topic: sent for topic, sent in self._sent.items() if topic in topics}
        for topic in topics:
            watchers = self._watchers[topic] + self._elsewhere.watchers.get(topic, 0)
            players = sum(self.attends(topic, account) for account in self._accounts_of(topic))
            now = Attendance(watchers, self.attends(topic, opener_of(topic)), players)
            if topic != LOBBY and (topic in self._newly_watched or self._sent.get(topic) != now):
                self._sent[topic] = now
                yield topic, now
        self._newly_watched.clear()

    def _count(self, queue: SendQueue, topic: str, accounts: Accounts, by: int) -> None:
        if queue in self._silent:
            return
        _add(self._watchers, topic, by)
        for account in accounts:
            _add(self._claims, (topic, account), by)
        self.version += 1
        self.changed.notify()


def _add(counts: Counter[T], key: T, by: int) -> None:
    """Without a key for what is not there."""
    counts[key] += by
    if not counts[key]:
        del counts[key]
