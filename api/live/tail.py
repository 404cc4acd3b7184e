"""The tail: follows the store by (height, hash), and says what changed for the matches that are watched."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from api import serializers
from api.live import messages
from api.live.messages import EVERYONE, Message, Why
from indexer.gamekit.game import Game, diff, fold
from indexer.model import Block, Chain, Event, Json, match_name
from indexer.store.snapshot import View

CHUNK = 500
REMEMBERED = 4096
MOST_MISSING = 5000


@dataclass(frozen=True, slots=True)
class Followed:
    """A watched match as of the tail's cursor. Before its first event, or when a reorg took them all, seq is 0."""

    game: Game
    match: int
    seq: int
    place: Json
    board: Json

    @property
    def name(self) -> str:
        return match_name(self.game.slug, self.match)

    def reset(self, why: Why, common: int | None = None) -> bytes:
        return messages.reset(self.name, self.seq, self.place, self.board, why, common)


@dataclass(frozen=True, slots=True)
class Since:
    """The last event that a client has: its number, and the hash of its block."""

    seq: int
    hash: str


class Tail:
    """One reader's place in the store. Not thread-safe; each call wants a view of its own moment."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._passed: deque[Block] = deque(maxlen=REMEMBERED)
        self._lost = False
        self.started = False
        self.chain: Chain | None = None
        self.followed: dict[str, Followed] = {}
        self.touched: set[tuple[str, int]] = set()
        """The matches that got events in the last `advance`."""
        self.reorganised = False
        """Whether the last `advance` found blocks gone."""

    @property
    def tip(self) -> Block | None:
        """The cursor: the last block that was passed on."""
        return self._passed[-1] if self._passed else None

    @property
    def _height(self) -> int:
        return self._passed[-1].height if self._passed else -1

    def lose(self) -> None:
        """An advance failed half-way: the next one sends whole boards."""
        self._lost = True

    def advance(self, view: View, wanted: Collection[str]) -> list[Message]:
        """Comes up to the view's last block. Returns what those who watch must hear, in this order."""
        self.touched, self.reorganised = set(), False
        for name in [name for name in self.followed if name not in wanted]:
            del self.followed[name]
        if not self.started:
            self._start(view)
            return self._head()
        found = [*self._reloaded_all(view)] if self._lost else []
        before = self.tip
        blocks = view.blocks_after(self._height - 1, CHUNK)
        if blocks[:1] != ([before] if before else []):
            found += self._reorganise(view)
            blocks = view.blocks_after(self._height, CHUNK)
        elif before is not None:
            blocks = blocks[1:]
        while blocks:
            found += self._append(view, blocks)
            blocks = view.blocks_after(self._height, CHUNK) if len(blocks) >= CHUNK - 1 else []
        return found + (self._head() if self.tip != before else [])

    def follow(self, view: View, game: Game, match: int) -> Followed | None:
        """Takes up a match at the cursor, where `advance` has just brought it. None when there is no such match."""
        found = self._load(view, game, match)
        if found is not None:
            self.followed[found.name] = found
        return found

    def missing(self, view: View, followed: Followed, since: Since) -> list[bytes] | None:
        """The `deltas` that a client lacks; None when it must have the whole board instead."""
        slug, match = followed.game.slug, followed.match
        known = view.event_at(slug, match, since.seq)
        if known is None or known.hash != since.hash or followed.seq - since.seq > MOST_MISSING:
            return None
        at = view.board(slug, match, since.seq)
        assert at is not None
        start = Followed(followed.game, match, since.seq, serializers.place(known), at[0])
        _end, frames = _played(start, view.events(slug, match, after=since.seq))
        return frames

    def _start(self, view: View) -> None:
        self.chain, tip = view.chain(), view.tip()
        if tip is not None:
            self._passed.extend(view.blocks_after(tip.height - CHUNK, CHUNK))
        self.started = True

    def _head(self) -> list[Message]:
        return [Message(EVERYONE, messages.head(self.tip))] if self.tip else []

    def _append(self, view: View, blocks: list[Block]) -> Iterable[Message]:
        events = view.events_between(blocks[0].height, blocks[-1].height)
        self.touched |= {(event.game, event.match) for event in events}
        self._passed.extend(blocks)
        news: dict[str, list[Event]] = {}
        for event in events:
            followed = self.followed.get(match_name(event.game, event.match))
            if followed is not None and event.seq > followed.seq:
                news.setdefault(followed.name, []).append(event)
        return [message for name, new in news.items() for message in self._tell(view, self.followed[name], new)]

    def _tell(self, view: View, followed: Followed, events: list[Event]) -> Iterable[Message]:
        if events[0].seq != followed.seq + 1:
            return [self._reload(view, followed, "gap")]
        self.followed[followed.name], frames = _played(followed, events)
        return [Message(followed.name, frame) for frame in frames]

    def _reorganise(self, view: View) -> Iterable[Message]:
        self.reorganised = True
        passed = list(self._passed)
        kept = bisect_left(passed, True, key=lambda block: view.block_at(block.height) != block)
        chain = view.chain()
        why: Why = "reorg" if chain == self.chain else "chain"
        self.chain = chain
        self._passed = deque(passed[:kept], maxlen=REMEMBERED)
        stale = [one for one in self.followed.values() if one.place["height"] > self._height]
        return [self._reload(view, one, why) for one in stale]

    def _reloaded_all(self, view: View) -> Iterable[Message]:
        self._lost = False
        return [self._reload(view, one, "gap") for one in list(self.followed.values())]

    def _reload(self, view: View, followed: Followed, why: Why) -> Message:
        """The whole board as the view has it; the events up to there are skipped when their blocks are appended."""
        slug, match, name = followed.game.slug, followed.match, followed.name
        common = None
        if why == "reorg":
            shared = view.last_event(slug, match, upto_height=self._height)
            common = shared.seq if shared else 0
        found = self._load(view, followed.game, match)
        if found is None:
            tip = view.tip()
            nowhere = {"height": 0, "hash": "0x" + "0" * 64, "time": 0}
            found = Followed(followed.game, match, 0, serializers.block(tip) if tip else nowhere, followed.game.start)
        self.followed[name] = found
        return Message(name, found.reset(why, common))

    def _load(self, view: View, game: Game, match: int) -> Followed | None:
        found = view.summary(game.slug, match)
        return Followed(game, match, found.seq, serializers.place(found), found.board) if found else None


def _played(start: Followed, events: Iterable[Event]) -> tuple[Followed, list[bytes]]:
    """The match after these events, and one `deltas` message a block. Each event is compared once."""
    board, seq, place = start.board, start.seq, start.place
    frames: list[bytes] = []
    for _height, block in groupby(events, attrgetter("height")):
        items: list[Json] = []
        for event in block:
            before, board = board, fold(start.game, board, (event,))
            items.append(messages.item(event, diff(before, board)))
        seq, place = event.seq, serializers.place(event)
        frames.append(messages.deltas(start.name, place, items))
    return replace(start, seq=seq, place=place, board=board), frames
