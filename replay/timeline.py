"""The timeline of a replay. It returns the board after any event, and the frames to show."""

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
"""The number of events after which the next board is stored. Any other board is computed by
applying patches to the last stored board before it."""
EVENTS_BEFORE = 20
"""The number of earlier events that the renderer gets in addition to the events of a frame. Some
games need them to draw the last move."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The events that are shown together. `first` and `last` are the numbers of the first and last
    of them."""

    first: int
    last: int


class Timeline:
    """The boards and frames of one replay. Raises ReplayError if the patches don't lead to the last
    board, which means that the replay was altered."""

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
        """The number of the replay's last event."""
        return len(self.events)

    def board(self, seq: int) -> Json:
        """Return the board as it is after event `seq`."""
        index = seq // CHECKPOINT_INTERVAL
        board: Json = self._boards[index]
        for event in self.events[index * CHECKPOINT_INTERVAL : seq]:
            board = apply_patch(board, event["patch"])
        return board

    def frames(self, by_event: bool = False) -> Sequence[Frame]:
        """Return the frames in order. If `by_event` is True, each event is a frame. Otherwise, each
        transaction is a frame."""
        if by_event:
            return [Frame(seq, seq) for seq in range(1, self.last + 1)]
        transactions = (list(events) for _, events in groupby(self.events, itemgetter("hash", "tx")))
        return [Frame(events[0]["seq"], events[-1]["seq"]) for events in transactions]

    def still_input(self, frame: Frame) -> Json:
        """Return the input from which the page's renderer draws this frame."""
        return {
            "match": self.replay["match"],
            "title": self.replay["game"]["title"],
            "board": self.board(frame.last),
            "events": self.events[frame.first - 1 : frame.last],
            "last": self.last,
            "later": self.replay["board"],
            "before": self.events[max(0, frame.first - 1 - EVENTS_BEFORE) : frame.first - 1],
        }
