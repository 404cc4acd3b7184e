"""Events onto boards: numbers without a hole, then the game's reducers; what a match's row says after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indexer.database import StoreError
from indexer.game import Game, canonical, fold
from indexer.model import Event, Json


class SeqHole(Exception):
    """An event is missing or doubled: the match's numbers do not go on where they stopped."""

    def __init__(self, game: str, match: int, expected: int, given: int) -> None:
        super().__init__(f"{game}/{match}: event {expected} should come next, the node gave {given}")
        self.game, self.match, self.expected, self.given = game, match, expected, given


class BadEvent(StoreError):
    """A game can't take an event: it is unknown, its reducer fails, or what that returns is no board."""

    def __init__(self, game: str, match: int, seq: int, name: str, why: str) -> None:
        super().__init__(f"{game}/{match}: the game can't take its event {seq} ({name}): {why}")
        self.game, self.match, self.seq, self.name, self.why = game, match, seq, name, why


@dataclass(frozen=True, slots=True)
class State:
    """A match after its event `seq`. What is not there yet has `seq` 0 and no players."""

    seq: int
    board: Json
    players: tuple[str, ...]
    created_height: int
    created_index: int


def check_seq(after: int, events: Sequence[Event]) -> None:
    """Raises SeqHole unless these events of one match are numbered on from `after` without a hole."""
    for expected, event in enumerate(events, after + 1):
        if event.seq != expected:
            raise SeqHole(event.game, event.match, expected, event.seq)


def before_first(games: Mapping[str, Game], event: Event) -> State:
    """The match before `event`, its first."""
    return State(0, _rules(games, event).start, (), event.height, event.log_index)


def folded(games: Mapping[str, Game], old: State, events: Sequence[Event]) -> tuple[State, dict[str, Any]]:
    """A match after these events of its own, with its row. Raises SeqHole or BadEvent."""
    check_seq(old.seq, events)
    rules, board, last = _rules(games, events[0]), old.board, events[-1]
    for event in events:
        try:
            board = fold(rules, board, (event,))
        except Exception as error:  # the game's own code: whatever it raises
            raise _bad(event, error) from error
    try:
        return _row(rules, old, board, last)
    except Exception as error:
        raise _bad(last, error) from error


def _row(rules: Game, old: State, board: Json, last: Event) -> tuple[State, dict[str, Any]]:
    seats = board["players"]
    players = tuple(sorted(seats, key=lambda address: seats[address]["seat"]))
    canonical(board)  # what is no JSON is refused here, with the event that brought it
    state = State(last.seq, board, players, old.created_height, old.created_index)
    return state, {
        "game": last.game,
        "match": last.match,
        "seq": last.seq,
        "status": board["status"],
        "ply": board["ply"],
        "players": list(players),
        "height": last.height,
        "created_height": old.created_height,
        "created_index": old.created_index,
        "waits_for": rules.waits_for_block_after(board),
        "board": board,
    }


def _rules(games: Mapping[str, Game], event: Event) -> Game:
    rules = games.get(event.game)
    if rules is None:
        raise BadEvent(event.game, event.match, event.seq, event.name, "no game of this name is installed")
    return rules


def _bad(event: Event, error: Exception) -> BadEvent:
    return BadEvent(event.game, event.match, event.seq, event.name, f"{type(error).__name__}: {error}")
