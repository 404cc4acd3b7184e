"""The result of verifying a replay file against its chain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.gamekit.json_diff import Difference
from indexer.verify.contract_views import ViewReport


@dataclass(slots=True)
class VerifyReport:
    """The result of a verification. `differences` contains a line for each false event, and for
    each other false part of the file.

    `last` is the number of the file's last event. `hash_verified` is the number of blocks whose
    hash could be recomputed from the header and receipts. `event_count` is the number of the
    match's events that the contract has counted by now, or None if it is unknown."""

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
