"""Folds events onto boards: checks `seq`, applies the game's reducers, makes the match's row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from indexer.gamekit.game import Game, canonical
from indexer.gamekit.lifecycle import ENDED, FINISHED
from indexer.lru import LruDict
from indexer.model import Block, Event, Json, MatchKey
from indexer.store.db.engine import StoreError

MAX_STATES = 2_000
"""Matches in progress, cached between two appends."""
CHECKPOINT_EVERY = 250
"""Events from one checkpoint of a match to the next: of the largest boards, they take 30 ms to fold and are as long as
a checkpoint. `python -m bench jump` has the figures."""


class SeqGap(Exception):
    """An event is missing or doubled: the match's `seq` does not continue."""

    def __init__(self, game: str, match: int, expected: int, actual: int) -> None:
        super().__init__(f"{game}/{match}: event {expected} should come next, the node gave {actual}")
        self.game, self.match, self.expected, self.actual = game, match, expected, actual


class BadEvent(StoreError):
    """A game can't take an event: it is unknown, its reducer fails, or what that returns is no board."""

    def __init__(self, game: str, match: int, seq: int, name: str, why: str) -> None:
        super().__init__(f"{game}/{match}: the game can't take its event {seq} ({name}): {why}")
        self.game, self.match, self.seq, self.name, self.why = game, match, seq, name, why


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after its event `seq`. A match before its first event has `seq` 0 and no players."""

    seq: int
    board: Json
    players: tuple[str, ...]
    created_height: int
    created_index: int
    opener: str


@dataclass(frozen=True, slots=True)
class FoldResult:
    """A match after some of its events: its state and its row; the rows of new checkpoints; the event that finished it,
    if that was among them."""

    state: MatchState
    row: tuple[Any, ...]
    checkpoints: list[tuple[Any, ...]] = field(default_factory=list)
    finished_by: Event | None = None


class StateCache(LruDict[MatchKey, MatchState]):
    """States of recently active matches, as of one block; the least recently used is evicted first."""

    def __init__(self) -> None:
        super().__init__(MAX_STATES)
        self._tip: Block | None = None

    def begin(self, tip: Block | None) -> None:
        """Starts changes. States that are not as of this block, or were being changed already, are evicted."""
        if tip is None or self._tip != tip:
            self.clear()
        self._tip = None

    def commit(self, tip: Block) -> None:
        """Makes the changed states those as of this block."""
        self._tip = tip


def check_seq(after: int, events: Sequence[Event]) -> None:
    """Raises SeqGap unless these events of one match continue `seq` from `after` without a gap."""
    for expected, event in enumerate(events, after + 1):
        if event.seq != expected:
            raise SeqGap(event.game, event.match, expected, event.seq)


def initial_state(games: Mapping[str, Game], event: Event) -> MatchState:
    """The match before `event`, its first."""
    opener = str(event.args.get("creator", ""))  # IMatch.sol: the first one is MatchCreated
    return MatchState(0, game_of(games, event).start, (), event.height, event.log_index, opener)


def fold_events(games: Mapping[str, Game], old: MatchState, events: Sequence[Event]) -> FoldResult:
    """Folds a match's next events. Raises SeqGap or BadEvent."""
    check_seq(old.seq, events)
    event, marks = events[0], list[tuple[Event, Json]]()
    rules = game_of(games, event)
    reducers, board = rules.reducers, old.board
    try:
        for event in events:
            reducer = reducers.get(event.name)
            if reducer is not None:
                board = reducer(board, event)
            if event.seq % CHECKPOINT_EVERY == 0 or event.name == ENDED:
                marks.append((event, board))
        return FoldResult(*_row(rules, old, board, event), _checkpoints(marks), _finishing_event(old, marks))
    except Exception as error:  # the game's own code: whatever it raises
        raise BadEvent(event.game, event.match, event.seq, event.name, f"{type(error).__name__}: {error}") from error


def _checkpoints(marks: Sequence[tuple[Event, Json]]) -> list[tuple[Any, ...]]:
    """The values in the order of the table's columns."""
    return [
        (event.game, event.match, event.seq, event.height, canonical(board).decode())
        for event, board in marks
        if event.seq % CHECKPOINT_EVERY == 0
    ]


def _finishing_event(old: MatchState, marks: Sequence[tuple[Event, Json]]) -> Event | None:
    """The event that finished the match: `MatchEnded` with the status `finished`; None if it was finished before."""
    finished = (event for event, board in marks if event.name == ENDED and board["status"] == FINISHED)
    return None if old.board["status"] == FINISHED else next(finished, None)


def _row(rules: Game, old: MatchState, board: Json, last: Event) -> tuple[MatchState, tuple[Any, ...]]:
    """The values in the order of the table's columns."""
    seats, status, ply = board["players"], board["status"], board["ply"]
    if not isinstance(status, str) or not isinstance(ply, int):
        raise TypeError(f"status {status!r}, ply {ply!r}")
    players = tuple(sorted(seats, key=lambda address: seats[address]["seat"]))
    state = MatchState(last.seq, board, players, old.created_height, old.created_index, old.opener)
    return state, (
        last.game,
        last.match,
        last.seq,
        status,
        ply,
        canonical(players).decode(),
        last.height,
        old.created_height,
        old.created_index,
        rules.waits_for_block_after(board),
        canonical(board).decode(),
        old.opener,
        board.get("opponent"),
    )


def game_of(games: Mapping[str, Game], event: Event) -> Game:
    rules = games.get(event.game)
    if rules is None:
        raise BadEvent(event.game, event.match, event.seq, event.name, "no game of this name is installed")
    return rules
