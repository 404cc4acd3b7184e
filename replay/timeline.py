"""A replay's positions: the board after any event, and the steps in which one plays it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from indexer.gamekit.game import board_hash, canonical, patched
from indexer.model import Json
from replay.bounds import Copies
from replay.errors import ReplayError

KEPT_EACH = 200
"""Events between two boards that are kept; the others are made of the one before."""
BEFORE = 20
"""Events before a step that are told with it: a drawing may need the last move, whatever followed it."""


@dataclass(frozen=True, slots=True)
class Step:
    """Events that are shown together, by their numbers, both included."""

    first: int
    last: int


class Positions:
    """Of one replay, whose patches must lead to its last board: else raises ReplayError, as it was altered."""

    def __init__(self, replay: Json) -> None:
        self.replay, self.events = replay, replay["events"]
        if not self.events:
            raise ReplayError("the replay has no events")
        self._kept = [replay["start"]]
        board, copies = replay["start"], Copies()
        for number, event in enumerate(self.events, 1):
            if event["seq"] != number:
                raise ReplayError(f"the replay was altered: where event {number} belongs stands event {event['seq']}")
            copies.count(board, event["patch"])
            board = patched(board, event["patch"])
            if number % KEPT_EACH == 0:
                self._kept.append(board)
        if canonical(board) != canonical(replay["board"]) or board_hash(board) != replay["boardHash"]:
            raise ReplayError(
                "the replay was altered: its patches do not lead to its last board. "
                "`chainboard verify FILE` says which move is false"
            )

    @property
    def last(self) -> int:
        return len(self.events)

    def board(self, seq: int) -> Json:
        """The board after event `seq`."""
        kept = seq // KEPT_EACH
        board: Json = self._kept[kept]
        for event in self.events[kept * KEPT_EACH : seq]:
            board = patched(board, event["patch"])
        return board

    def steps(self, by_event: bool = False) -> Sequence[Step]:
        """One for each event, or for the events of each transaction."""
        if by_event:
            return [Step(seq, seq) for seq in range(1, self.last + 1)]
        found: list[Step] = []
        before = None
        for seq, event in enumerate(self.events, 1):
            place = (event["hash"], event["tx"])
            first = found.pop().first if place == before else seq
            found.append(Step(first, seq))
            before = place
        return found

    def moment(self, step: Step) -> Json:
        """What the page's renderers are asked about: a step and the board after it."""
        return {
            "match": self.replay["match"],
            "title": self.replay["game"]["title"],
            "board": self.board(step.last),
            "events": self.events[step.first - 1 : step.last],
            "last": self.last,
            "later": self.replay["board"],
            "before": self.events[max(0, step.first - 1 - BEFORE) : step.first - 1],
        }
