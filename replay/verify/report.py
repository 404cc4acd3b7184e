"""What came of proving a replay file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.verify.contract_views import ViewReport
from replay.verify.json_diff import Difference


@dataclass(slots=True)
class VerifyReport:
    """What was compared. `differences`: a line for each event, or other place, that is false. `last`: the file's last
    event; `hash_verified`: of how many of the blocks the hash was made again from header and receipts; `event_count`:
    the match's last event on the chain now (None: it can't be had)."""

    match: str = ""
    last: int = 0
    blocks: int = 0
    hash_verified: int = 0
    event_count: int | None = None
    is_ours: bool = True
    differences: list[str] = field(default_factory=list)
    view_report: ViewReport = field(default_factory=ViewReport)

    def add(self, found: Iterator[Difference], right: str) -> None:
        self.differences += [one.sentence(right) for one in found]
