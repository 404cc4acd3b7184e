"""Emotes: six fixed reactions that players can send to everyone who is watching their match. They
contain no free text and are not stored."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from eth_utils.address import to_checksum_address
from pydantic import Field

from api.chain.typed_data import is_signed_by
from api.live import messages
from api.live.seek_requests import ClientMessage, Signature
from api.live.send_queue import SendQueue
from api.live.tail import Tail
from api.shapes.fields import Address
from indexer.wakeup import Wakeup

BURST, REFILL_SECONDS = 3, 3.0
"""The number of emotes that an account may send to a match in a burst, and the seconds until it may
send one more."""
MAX_STATEMENT_SECONDS = 86_400
"""The maximum time until a signature expires, in seconds from now. It is long, so that a player
needs to sign only once even in a long match."""
RECENT_SECONDS, MAX_RECENT = 3.0, 200
"""The seconds for which emotes are kept for other gateways, and the maximum number of kept emotes.
Other gateways poll them once per second."""
MAX_STATEMENTS = 8
"""The maximum number of verified signatures that the gateway remembers for each socket."""
TYPES = {"Emotes": [{"name": "account", "type": "address"}, {"name": "until", "type": "uint48"}]}
TYPE = "Emotes({})".format(",".join(f"{one['type']} {one['name']}" for one in TYPES["Emotes"]))

Emote: TypeAlias = Literal["well-played", "nice-shot", "oops", "thinking", "hurry", "hello"]
Outcome: TypeAlias = Literal["sent", "refused", "dropped"]


class EmoteRequest(ClientMessage):
    """A client's request to send an emote from an account. The signature covers all emotes from the
    account, in any match, until it expires."""

    t: Literal["emote"]
    match: str
    emote: Emote
    account: Address
    until: Annotated[int, Field(ge=0, lt=2**48)]
    signature: Signature

    def is_current(self) -> bool:
        """Return True if the signature is still valid and expires at most `MAX_STATEMENT_SECONDS`
        from now."""
        return 0 < self.until - time.time() <= MAX_STATEMENT_SECONDS

    def is_signed(self, chain_id: int) -> bool:
        """Return True if the account has signed the request."""
        message = {"account": self.account, "until": self.until}
        return is_signed_by(self.account, chain_id, TYPES, message, self.signature)

    @property
    def statement(self) -> tuple[str, int, str]:
        return self.account, self.until, self.signature


class SentEmote(NamedTuple):
    """An emote that a gateway has sent, in the form that other gateways read. `number` counts the
    emotes of each gateway without gaps."""

    number: int
    match: str
    account: str
    emote: str


class EmoteRateLimiter:
    """Limits how often each sender may send emotes: a burst, and then one emote per
    REFILL_SECONDS."""

    def __init__(self, burst: int) -> None:
        self._burst = burst
        self._senders: dict[tuple[str, str], tuple[float, bool]] = {}
        """For each sender: the time when the whole burst is available again, and whether the
        sender's latest emote was rejected or dropped."""

    def hit(self, sender: tuple[str, str], now: float) -> Outcome:
        """Count another emote, and return what to do with it. Of the emotes above the limit, the
        first is rejected with a message, and the next ones are dropped silently."""
        full_at, was_rejected = self._senders.get(sender, (now, False))
        if full_at - now > (self._burst - 1) * REFILL_SECONDS:
            self._senders[sender] = full_at, True
            return "dropped" if was_rejected else "refused"
        self._senders.pop(sender, None)
        self._senders[sender] = max(full_at, now) + REFILL_SECONDS, False
        self._forget(now)
        return "sent"

    def _forget(self, now: float) -> None:
        """Forget the senders whose whole burst is available again. The dict is ordered: the first
        sender is the one whose last emote is the oldest."""
        while self._senders[first := next(iter(self._senders))][0] <= now:
            del self._senders[first]


class Emotes:
    """Delivers emotes from this gateway's clients and from other gateways. Use it only in the event
    loop."""

    def __init__(self, tail: Tail, publish: Callable[[str, bytes], None]) -> None:
        self._tail, self._publish = tail, publish
        self._limiter = EmoteRateLimiter(BURST)
        self._remote_limiter = EmoteRateLimiter(BURST + 1)  # several emotes arrive per poll, so allow a larger burst
        self._statements: WeakKeyDictionary[SendQueue, set[tuple[str, int, str]]] = WeakKeyDictionary()
        self._recent: deque[tuple[float, SentEmote]] = deque(maxlen=MAX_RECENT)
        self._sent = 0
        self._last_numbers: dict[str, int] = {}
        self.changed = Wakeup()

    @property
    def chain_id(self) -> int:
        """The chain's id, or 0 while there is no chain."""
        return self._tail.chain.chain_id if self._tail.chain else 0

    def is_player(self, match: str, account: str) -> bool:
        """Return True if the match is watched and the account plays in it."""
        found = self._tail.watched.get(match)
        return found is not None and to_checksum_address(account) in found.board["players"]

    def is_verified(self, queue: SendQueue, request: EmoteRequest) -> bool:
        """Return True if this signature has already been verified on this socket."""
        return request.statement in self._statements.get(queue, ())

    def remember_verified(self, queue: SendQueue, request: EmoteRequest) -> None:
        """Record that the signature has been verified on this socket."""
        statements = self._statements.setdefault(queue, set())
        if len(statements) >= MAX_STATEMENTS:
            statements.clear()
        statements.add(request.statement)

    def send(self, request: EmoteRequest) -> Outcome:
        """Send an emote to all watchers of the match, unless the account sends too many."""
        now, account = time.monotonic(), to_checksum_address(request.account)
        outcome = self._limiter.hit((request.match, account), now)
        if outcome == "sent":
            self._sent += 1
            sent = SentEmote(self._sent, request.match, account, request.emote)
            self._recent.append((now, sent))
            self._deliver(sent)
            self.changed.notify()
        return outcome

    def recent(self) -> tuple[int, list[SentEmote]]:
        """Return this gateway's newest emotes for the other gateways, and a version number that
        grows with each change."""
        while self._recent and time.monotonic() - self._recent[0][0] > RECENT_SECONDS:
            self._recent.popleft()
        return 2 * self._sent - len(self._recent), [sent for _at, sent in self._recent]

    def receive(self, gateways: Mapping[str, Sequence[SentEmote]]) -> None:
        """Deliver the new emotes from the other gateways."""
        last = {gateway: self._last_numbers.get(gateway, 0) for gateway in gateways}
        for gateway, found in gateways.items():
            for sent in found:
                if sent.number > last[gateway]:
                    last[gateway] = sent.number
                    if self._remote_limiter.hit((sent.match, sent.account), time.monotonic()) == "sent":
                        self._deliver(sent)
        self._last_numbers = last

    def _deliver(self, sent: SentEmote) -> None:
        self._publish(sent.match, messages.emote(sent.match, sent.account, sent.emote))
