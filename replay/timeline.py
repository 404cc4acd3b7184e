"""The timeline of a replay: the board after any event, and the frames to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from indexer.gamekit.game import apply_patch, board_hash, canonical
from indexer.model import Json
from replay.bounds import CopyBudget
from replay.errors import ReplayError

CHECKPOINT_INTERVAL = 200
"""The number of events between two stored boards. A board in between is computed by patching the
stored board before it."""
EVENTS_BEFORE = 20
"""The number of earlier events that are passed along with a frame, because a drawing might need the
last move."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Events that are shown together, from number `first` to number `last`, inclusive."""

    first: int
    last: int


class Timeline:
    """The timeline of one replay. Raises ReplayError if the patches don't lead to the last board,
    because the replay was altered."""

    def __init__(self, replay: Json) -> None:
        self.replay, self.events = replay, replay["events"]
        if not self.events:
            raise ReplayError("the replay has no events")
        self._boards = [replay["start"]]
        board, copies = replay["start"], CopyBudget()
        for number, event in enumerate(self.events, 1):
            if event["seq"] != number:
                raise ReplayError(f"the replay was altered: found event {event['seq']} where event {number} should be")
            copies.count(board, event["patch"])
            board = apply_patch(board, event["patch"])
            if number % CHECKPOINT_INTERVAL == 0:
                self._boards.append(board)
        if canonical(board) != canonical(replay["board"]) or board_hash(board) != replay["boardHash"]:
            raise ReplayError(
                "the replay was altered: its patches don't lead to its last board. "
                "`chainboard verify FILE` shows which event doesn't match the chain"
            )

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)

    def board(self, seq: int) -> Json:
        """Return the board after event `seq`."""
        index = seq // CHECKPOINT_INTERVAL
        board: Json = self._boards[index]
        for event in self.events[index * CHECKPOINT_INTERVAL : seq]:
            board = apply_patch(board, event["patch"])
        return board

    def frames(self, by_event: bool = False) -> Sequence[Frame]:
        """Return one frame per event, or per transaction."""
        if by_event:
            return [Frame(seq, seq) for seq in range(1, self.last + 1)]
        transactions = (list(events) for _, events in groupby(self.events, itemgetter("hash", "tx")))
        return [Frame(events[0]["seq"], events[-1]["seq"]) for events in transactions]

    def still_input(self, frame: Frame) -> Json:
        """Return the input for the page's renderer: a frame and the board after it."""
        return {
            "match": self.replay["match"],
            "title": self.replay["game"]["title"],
            "board": self.board(frame.last),
            "events": self.events[frame.first - 1 : frame.last],
            "last": self.last,
            "later": self.replay["board"],
            "before": self.events[max(0, frame.first - 1 - EVENTS_BEFORE) : frame.first - 1],
        }
