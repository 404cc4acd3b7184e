"""Folds events into boards: checks their `seq`, applies the game's reducers, and makes the row of
the match."""

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
"""The number of recently active matches that are cached between two appends."""
CHECKPOINT_EVERY = 250
"""The number of events between two checkpoints of a match.

With the largest boards, folding 250 events takes 30 ms, and the events take as much space as a
checkpoint. `python -m bench jump` prints the figures."""


class SeqGap(Exception):
    """An event is missing or duplicated, so the numbers (`seq`) of the match's events are not
    consecutive."""

    def __init__(self, game: str, match: int, expected: int, actual: int) -> None:
        super().__init__(f"{game}/{match}: expected event {expected}, but the node returned event {actual}")
        self.game, self.match, self.expected, self.actual = game, match, expected, actual


class BadEvent(StoreError):
    """A game can't apply an event, because the game is unknown, or because its reducer fails or
    returns no board."""

    def __init__(self, game: str, match: int, seq: int, name: str, why: str) -> None:
        super().__init__(f"{game}/{match}: the game can't apply its event {seq} ({name}): {why}")
        self.game, self.match, self.seq, self.name, self.why = game, match, seq, name, why


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after its event `seq`. Before the first event, `seq` is 0 and nobody has a seat."""

    seq: int
    board: Json
    players: tuple[str, ...]
    created_height: int
    created_index: int
    opener: str


@dataclass(frozen=True, slots=True)
class FoldResult:
    """A match after new events: its state, its row, and the rows of its new checkpoints.

    `finished_by`: the event that finished the match, if it is one of the new events."""

    state: MatchState
    row: tuple[Any, ...]
    checkpoints: list[tuple[Any, ...]] = field(default_factory=list)
    finished_by: Event | None = None


class StateCache(LruDict[MatchKey, MatchState]):
    """The states of recently active matches after one block. The least recently changed state is
    evicted first."""

    def __init__(self) -> None:
        super().__init__(MAX_STATES)
        self._tip: Block | None = None

    def begin(self, tip: Block | None) -> None:
        """Start a change. Evict all states if they don't belong to this block, or if the last
        change was interrupted."""
        if tip is None or self._tip != tip:
            self.clear()
        self._tip = None

    def commit(self, tip: Block) -> None:
        """Finish the change. The states now belong to this block."""
        self._tip = tip


def check_seq(after: int, events: Sequence[Event]) -> None:
    """Raise SeqGap unless these events of one match continue `seq` after `after` without a gap."""
    for expected, event in enumerate(events, after + 1):
        if event.seq != expected:
            raise SeqGap(event.game, event.match, expected, event.seq)


def initial_state(games: Mapping[str, Game], event: Event) -> MatchState:
    """Return the state of a match before its first event, `event`."""
    opener = str(event.args.get("creator", ""))  # IMatch.sol: the first event is MatchCreated
    return MatchState(0, game_of(games, event).start, (), event.height, event.log_index, opener)


def fold_events(games: Mapping[str, Game], old: MatchState, events: Sequence[Event]) -> FoldResult:
    """Fold the next events of a match into its state. Raises SeqGap or BadEvent."""
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
    except Exception as error:  # the game's own code can raise any error
        raise BadEvent(event.game, event.match, event.seq, event.name, f"{type(error).__name__}: {error}") from error


def _checkpoints(marks: Sequence[tuple[Event, Json]]) -> list[tuple[Any, ...]]:
    """Return the rows of the new checkpoints, in the order of the table's columns."""
    return [
        (event.game, event.match, event.seq, event.height, canonical(board).decode())
        for event, board in marks
        if event.seq % CHECKPOINT_EVERY == 0
    ]


def _finishing_event(old: MatchState, marks: Sequence[tuple[Event, Json]]) -> Event | None:
    """Return the `MatchEnded` event that finished the match, or None if `old` was finished."""
    finished = (event for event, board in marks if event.name == ENDED and board["status"] == FINISHED)
    return None if old.board["status"] == FINISHED else next(finished, None)


def _row(rules: Game, old: MatchState, board: Json, last: Event) -> tuple[MatchState, tuple[Any, ...]]:
    """Return the match's new state and its row. The row is in the order of the table's columns."""
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
