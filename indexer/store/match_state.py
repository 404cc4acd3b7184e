"""Folds events into boards. It checks the events' numbers, calls the game's reducers, and makes the
match's row in the database."""

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
"""The maximum number of matches with recent events that are cached in memory."""
CHECKPOINT_EVERY = 250
"""The number of events from one checkpoint of a match to the next.

Folding 250 events takes 30 ms with the largest boards. A checkpoint takes as much space as 250
events. `python -m bench jump` measures both."""


class SeqGap(Exception):
    """An event of a match is missing or appears twice, because the numbers (`seq`) of the events
    are not consecutive."""

    def __init__(self, game: str, match: int, expected: int, actual: int) -> None:
        super().__init__(f"{game}/{match}: expected event {expected}, but the node returned event {actual}")
        self.game, self.match, self.expected, self.actual = game, match, expected, actual


class BadEvent(StoreError):
    """A game can't apply an event. Either the game is unknown, or its reducer raises an error or
    returns no valid board."""

    def __init__(self, game: str, match: int, seq: int, name: str, why: str) -> None:
        super().__init__(f"{game}/{match}: the game can't apply event {seq} ({name}): {why}")
        self.game, self.match, self.seq, self.name, self.why = game, match, seq, name, why


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after its event with the number `seq`. Before the first event, `seq` is 0, and nobody
    has a seat."""

    seq: int
    board: Json
    players: tuple[str, ...]
    created_height: int
    created_index: int
    opener: str


@dataclass(frozen=True, slots=True)
class FoldResult:
    """The changes to a match after new events: its state, its row, and the rows of its new
    checkpoints.

    `finished_by`: the new event that finished the match, or None."""

    state: MatchState
    row: tuple[Any, ...]
    checkpoints: list[tuple[Any, ...]] = field(default_factory=list)
    finished_by: Event | None = None


class StateCache(LruDict[MatchKey, MatchState]):
    """Caches the states of matches with recent events. All states belong to the same block. If the
    cache is full, it drops the state that has not changed for the longest time."""

    def __init__(self) -> None:
        super().__init__(MAX_STATES)
        self._tip: Block | None = None

    def begin(self, tip: Block | None) -> None:
        """Begin a change. Drop all states if they don't belong to the block `tip`, or if the last
        change was interrupted."""
        if tip is None or self._tip != tip:
            self.clear()
        self._tip = None

    def commit(self, tip: Block) -> None:
        """End a change. From now on, the states belong to this block."""
        self._tip = tip


def check_seq(after: int, events: Sequence[Event]) -> None:
    """Raise SeqGap unless the numbers (`seq`) of these events follow `after` without a gap."""
    for expected, event in enumerate(events, after + 1):
        if event.seq != expected:
            raise SeqGap(event.game, event.match, expected, event.seq)


def initial_state(games: Mapping[str, Game], event: Event) -> MatchState:
    """Return the state of a match before its first event. `event`: the first event."""
    opener = str(event.args.get("creator", ""))  # the first event is MatchCreated (IMatch.sol)
    return MatchState(0, game_of(games, event).start, (), event.height, event.log_index, opener)


def fold_events(games: Mapping[str, Game], old: MatchState, events: Sequence[Event]) -> FoldResult:
    """Fold a match's next events, and return the changes. Raises SeqGap or BadEvent."""
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
    except Exception as error:  # a game's code can raise any error
        raise BadEvent(event.game, event.match, event.seq, event.name, f"{type(error).__name__}: {error}") from error


def _checkpoints(marks: Sequence[tuple[Event, Json]]) -> list[tuple[Any, ...]]:
    """Return a row for each new checkpoint. Values are in the order of the table's columns."""
    return [
        (event.game, event.match, event.seq, event.height, canonical(board).decode())
        for event, board in marks
        if event.seq % CHECKPOINT_EVERY == 0
    ]


def _finishing_event(old: MatchState, marks: Sequence[tuple[Event, Json]]) -> Event | None:
    """Return the `MatchEnded` event that finished the match. Return None if there is none, or if
    the match was already finished."""
    finished = (event for event, board in marks if event.name == ENDED and board["status"] == FINISHED)
    return None if old.board["status"] == FINISHED else next(finished, None)


def _row(rules: Game, old: MatchState, board: Json, last: Event) -> tuple[MatchState, tuple[Any, ...]]:
    """Return the match's new state, and its row. The row's values are in the order of the table's
    columns."""
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
        raise BadEvent(event.game, event.match, event.seq, event.name, "no game with this name is installed")
    return rules
