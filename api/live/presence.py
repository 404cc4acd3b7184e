"""Presence: the number of sockets that watch each match, and the accounts that their clients claim
to use. Presence helps players choose an opponent. It is only a hint, so nobody stores or verifies
it."""

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
"""A set of account addresses in lower case."""


class MatchPresence(NamedTuple):
    """The presence at a match: the number of watchers, whether the opener is present, and the
    number of players present (including the opener)."""

    watchers: int
    opener_is_here: bool
    players_here: int


@dataclass(frozen=True, slots=True)
class PresenceCounts:
    """The number of watchers of each match and of the lobby. `claims` are the accounts that these
    watchers claim to use, each as (topic, address)."""

    watchers: Mapping[str, int] = field(default_factory=dict)
    claims: frozenset[tuple[str, str]] = frozenset()


class Presence:
    """The presence of this gateway's clients, plus the presence on other gateways. A client that
    doesn't answer pings is not counted until it answers again."""

    def __init__(self, accounts_of: Callable[[str], Accounts]) -> None:
        """`accounts_of` is a function that returns the opener and the players of a match that is
        watched on this gateway."""
        self._accounts_of = accounts_of
        self.changed = Wakeup()
        self._watches: dict[SendQueue, dict[str, Accounts]] = {}
        self._silent: set[SendQueue] = set()
        self._watchers = Counter[str]()
        self._claims = Counter[tuple[str, str]]()
        self._newly_watched: set[str] = set()
        self._sent: dict[str, MatchPresence] = {}
        self._remote = PresenceCounts()
        self.version = 0
        """A number that grows with each change on this gateway."""

    def local(self) -> PresenceCounts:
        """Return the presence at this gateway alone."""
        return PresenceCounts(dict(self._watchers), frozenset(self._valid_claims()))

    def _valid_claims(self) -> Iterator[tuple[str, str]]:
        """Yield the claims that count. In the lobby, all claims count. At a match, a claim
        counts only if the account is the opener's or a player's, because a client can claim any
        account. The loop needs a copy of the claims, because other threads call this method too."""
        known: dict[str, Accounts] = {}
        for topic, account in list(self._claims):
            if topic not in known:
                known[topic] = self._accounts_of(topic)
            if topic == LOBBY or account in known[topic]:
                yield topic, account

    def set_remote(self, counts: PresenceCounts) -> None:
        """Store the latest presence on the other gateways."""
        if counts != self._remote:
            self._remote = counts
            self.changed.notify()

    def watch(self, queue: SendQueue, topic: str, accounts: Accounts) -> None:
        """Count a client as a watcher of a match or the lobby, with the accounts that it claims. A
        second call replaces these accounts."""
        self.unwatch(queue, topic)
        self._watches.setdefault(queue, {})[topic] = accounts
        self._newly_watched.add(topic)
        self._count(queue, topic, accounts, 1)

    def unwatch(self, queue: SendQueue, topic: str) -> None:
        """Stop counting a client as a watcher of this topic, if it is one."""
        accounts = self._watches.get(queue, {}).pop(topic, None)
        if accounts is not None:
            self._count(queue, topic, accounts, -1)

    def leave(self, queue: SendQueue) -> None:
        """Stop counting a client, and forget everything that it claimed."""
        for topic in [*self._watches.get(queue, ())]:
            self.unwatch(queue, topic)
        self._watches.pop(queue, None)
        self._silent.discard(queue)

    def set_silent(self, queue: SendQueue, silent: bool) -> None:
        """Exclude a client from the counts while it doesn't answer pings."""
        if silent == (queue in self._silent):
            return
        watches = self._watches.get(queue, {}).items()
        self._silent.discard(queue)
        for topic, accounts in watches:
            self._count(queue, topic, accounts, -1 if silent else 1)
        if silent:
            self._silent.add(queue)

    def is_silent(self, queue: SendQueue) -> bool:
        """Return True if the client isn't answering pings."""
        return queue in self._silent

    def watchers(self) -> int:
        """Return the number of watchers of all matches on this gateway. A client that watches
        several matches counts once for each. Prometheus's thread calls this method."""
        return sum(n for topic, n in list(self._watchers.items()) if topic != LOBBY)

    def is_present(self, topic: str, account: str) -> bool:
        """Return True if a client claims this account while it watches this match or the lobby."""
        claims = (topic, account.lower()), (LOBBY, account.lower())
        return any(claim in self._claims or claim in self._remote.claims for claim in claims)

    def present_accounts(self) -> dict[str, set[str]]:
        """For each match, return the present accounts of its opener and its players. A present
        account is claimed by a client that watches the match."""
        found: dict[str, set[str]] = {}
        for topic, account in (*self._valid_claims(), *self._remote.claims):
            if topic != LOBBY:
                found.setdefault(topic, set()).add(account)
        return found

    def changes(self, topics: Collection[str], opener_of: Callable[[str], str]) -> Iterator[tuple[str, MatchPresence]]:
        """Yield the presence at each of these matches if the match has a new watcher or its
        presence has changed."""
        self._sent = {topic: sent for topic, sent in self._sent.items() if topic in topics}
        for topic in topics:
            watchers = self._watchers[topic] + self._remote.watchers.get(topic, 0)
            players = sum(self.is_present(topic, account) for account in self._accounts_of(topic))
            now = MatchPresence(watchers, self.is_present(topic, opener_of(topic)), players)
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
    """Add to a count, and delete it when it reaches zero."""
    counts[key] += by
    if not counts[key]:
        del counts[key]
