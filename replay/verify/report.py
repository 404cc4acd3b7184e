"""What came of proving a replay file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.verify.contract_views import Views
from replay.verify.json_diff import Place


@dataclass(slots=True)
class Proved:
    """What was compared. `wrong`: a line for each event, or other place, that is false. `last`: the file's last event;
    `sealed`: of how many of the blocks the hash was made again from header and receipts; `counted`: the match's last
    event on the chain now (None: it can't be had)."""

    match: str = ""
    last: int = 0
    blocks: int = 0
    sealed: int = 0
    counted: int | None = None
    ours: bool = True
    wrong: list[str] = field(default_factory=list)
    views: Views = field(default_factory=Views)

    def add(self, found: Iterator[Place], right: str) -> None:
        self.wrong += [one.said(right) for one in found]
