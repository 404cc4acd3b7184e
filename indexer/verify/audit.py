"""Compares a database with the chain. Its rows must be those of a fresh index, which is built from
receipts. Its boards must equal the contracts' views."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic

from indexer.fetch.fetcher import ChainChanged
from indexer.follow.seq_check import SeqMismatch, wait_for_next_block
from indexer.gamekit.game import Game
from indexer.model import Block, Deployment, MatchKey, is_parent
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.store.store import Store
from indexer.verify.contract_views import ContractViewCheck, MissingMatches, ViewReport
from indexer.verify.differences import FileDiffers, RowDiffers
from indexer.verify.match_history import MatchHistory
from indexer.verify.partitions import partitions
from indexer.verify.raw_tables import OPTIONAL_TABLE, Key, RawDatabase, RawSnapshot, Row, TableSlice, repair
from indexer.verify.rebuild import FreshIndex

GRACE_SECONDS, PAUSE_SECONDS = 5.0, 0.2
"""Both in seconds: how long the database and the node can differ while another process writes, and
the pause before the next try.

Without this grace period, a reorg in progress would count as a difference."""
MAX_TRIES = 4
MAX_DIFFERENCES = 100
FILE = "file"
"""In `AuditReport.counts`, the key for damage to the file itself. The other keys are tables."""


class NodeBehind(Exception):
    """The node has only the first part of the database's chain, because it lags or was cut off."""

    def __init__(self, head: int, height: int) -> None:
        super().__init__(f"the node is at block {head}, but the database is at block {height}")
        self.head, self.height = head, height


@dataclass(slots=True)
class AuditReport:
    """The result of comparing the rows up to the block height `top`. `head`: the height of the
    node's head.

    - `differences`: the first differences found
    - `counts`: for each table, the number of rows that differ
    - `slices`: the slices (parts of tables) with rows that differ
    - `totals`: for each table, the number of rows in the fresh index
    """

    top: int
    head: int
    differences: list[FileDiffers | RowDiffers] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    slices: list[TableSlice] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)


class Audit:
    """Compares one database with one chain. `store` is an empty store for this chain, in which the
    fresh index is built. `fresh` reads its rows. `exclusive`: True if no other process writes to
    the database.

    If the node doesn't answer or contradicts itself, every method raises NodeUnavailable,
    NodeError, ChainChanged, BadReceipts, BadLog, SeqGap, BadEvent, SeqMismatch or MissingMatches.
    If a database can't be used, it raises StoreError."""

    def __init__(
        self,
        node: Node,
        database: RawDatabase,
        fresh: RawDatabase,
        store: Store,
        games: Mapping[str, Game],
        deployments: Sequence[Deployment],
        only: MatchKey | None = None,
        exclusive: bool = False,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        self._node, self._games, self._deployments = node, games, deployments
        self._only, self._exclusive = only, exclusive
        self._database, self._fresh, self._store = database, fresh, store
        self._fresh_index = FreshIndex(node, store, deployments, only, progress)

    def close(self) -> None:
        self._fresh_index.close()
        for one in (self._database, self._fresh):
            one.close()

    async def check_contract_views(self) -> ViewReport:
        """Compare the contracts' views with boards that are folded from the events on the chain.
        The comparison ends at the database's last block."""
        for _ in range(MAX_TRIES):
            with self._database.snapshot() as rows:
                height = self._top(rows, (await self._node.head()).height)
            await self._read_to(height)
            top = self._fresh_index.recent(height)
            if top is None:
                return ViewReport()
            with self._store.read() as snapshot, self._fresh.snapshot() as fresh_snapshot:
                view_report = await self._check_views(
                    MatchHistory(snapshot, fresh_snapshot, self._games, self._fresh_index.recent), top
                )
            if await self._node.block(top.height) == top:
                return view_report
        raise ChainChanged("the chain changes faster than it can be checked")

    async def _check_views(self, history: MatchHistory, top: Block) -> ViewReport:
        """Compare the views. If they differ, compare them again after the next block."""
        check = ContractViewCheck(self._node, self._deployments, self._games)
        with suppress(SeqMismatch, MissingMatches):
            view_report = await check.check_all(history, self._fresh_index.first, top, self._only)
            if not view_report.count:
                return view_report
        await wait_for_next_block(self._node, top)
        return await check.check_all(history, self._fresh_index.first, top, self._only)

    async def compare_rows(self) -> AuditReport:
        """Compare all rows of the database with the rows of a fresh index up to the same block.

        In addition to the errors named above, raises NodeBehind."""
        deadline = monotonic() + (0 if self._exclusive else GRACE_SECONDS)
        while True:
            with self._database.snapshot() as rows:
                head = await self._node.head()
                short = not self._node.is_ours and await self._is_prefix(rows, head)
                if not short:
                    top = self._top(rows, head.height)
                    await self._read_to(top)
                    if monotonic() >= deadline or not self._has_forked(rows, top):
                        return await self._compare(rows, AuditReport(top, head.height))
                elif monotonic() >= deadline:
                    raise NodeBehind(head.height, rows.blocks_above(head.height)[-1]["height"])
            await asyncio.sleep(PAUSE_SECONDS)

    def repair(self, report: AuditReport, store: Store) -> None:
        """Repair the rows that differ: replace them with the rows of the fresh index. No other
        process may write to the database meanwhile."""
        with self._fresh.snapshot() as expected, store.transaction() as connection:
            repair(connection, report.slices, expected, indexes=FILE in report.counts)

    async def _is_prefix(self, rows: RawSnapshot, head: Block) -> bool:
        """Return True if the node has only the first part of the database's chain.

        If the database skips blocks without events, only its last block up to the node's head is
        compared."""
        if head.height >= rows.sparse_height():
            return _is_ahead_of(rows, head)
        shared = rows.highest_block(head.height)
        if shared is None or not rows.blocks_above(head.height, 1):
            return False
        return await self._node.block(shared["height"]) == Block(**shared)

    def _top(self, rows: RawSnapshot, head: int) -> int:
        return max(rows.top(head) or 0, self._fresh_index.first - 1)

    async def _read_to(self, height: int) -> None:
        """Build the fresh index up to this height. Try again if the chain changes or the node
        fails."""
        failures = 0
        while True:
            before = self._fresh_index.height
            try:
                return await self._fresh_index.read_to(height)
            except (ChainChanged, NodeUnavailable, NodeError):
                failures = 0 if self._fresh_index.height > before else failures + 1
                if failures == MAX_TRIES:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    def _has_forked(self, rows: RawSnapshot, height: int) -> bool:
        """Return True if the node has a different block than the database at this height.

        If it does, lower blocks may also be stale until the database has followed the reorg."""
        found, expected = _block(rows, height), self._fresh_index.recent(height)
        return found is not None and expected is not None and found.hash != expected.hash

    async def _compare(self, rows: RawSnapshot, report: AuditReport) -> AuditReport:
        report.differences += map(FileDiffers, await asyncio.to_thread(self._database.integrity_errors))
        if report.differences:
            report.counts[FILE] = len(report.differences)
        with self._fresh.snapshot() as chain:
            sparse_height = rows.sparse_height() if rows.sparse_height() <= report.top else -1
            for table_slice in partitions(chain, rows, self._only):
                expected, found = chain.rows_of(table_slice), rows.rows_of(table_slice)
                if table_slice.table == OPTIONAL_TABLE:
                    expected = {key: row for key, row in expected.items() if key in found}
                elif table_slice.table == "block":
                    expected = _required_blocks(expected, found, sparse_height, chain)
                if expected != found:
                    report.slices.append(table_slice)
                    _add_differences(report, table_slice.table, found, expected)
                await asyncio.sleep(0)  # the audit can be cancelled here
            if self._only is None:
                for table in ("confirmed", "sparse"):
                    _check_height(report, rows, table)
            report.totals = {name: chain.count(name) for name in ("block", "event", "match")}
        return report


def _required_blocks(
    expected: Mapping[Key, Row], found: Mapping[Key, Row], sparse_height: int, chain: RawSnapshot
) -> dict[Key, Row]:
    """Return the blocks that the database must have: all blocks of the chain, except those without
    events up to the sparse height."""
    missing = [height for (height,) in expected.keys() - found.keys() if height <= sparse_height]
    without_events = set(missing) - chain.heights_with_events(min(missing), max(missing)) if missing else set[int]()
    return {key: row for key, row in expected.items() if key[0] not in without_events}


def _check_height(report: AuditReport, rows: RawSnapshot, table: str) -> None:
    """Check the stored height in the table `confirmed` or `sparse`. Its value depends on when the
    chain was indexed, but it must not be above the last block."""
    table_slice = TableSlice(table)
    found = rows.rows_of(table_slice)
    if len(found) > 1 or any(not isinstance(height, int) or height > report.top for (height,) in found):
        report.slices.append(table_slice)
        _add_differences(report, table, found, {})


def _add_differences(report: AuditReport, table: str, found: Mapping[Key, Row], expected: Mapping[Key, Row]) -> None:
    for key in {**expected, **found}:
        if found.get(key) != expected.get(key):
            report.counts[table] += 1
            if len(report.differences) < MAX_DIFFERENCES:
                report.differences.append(RowDiffers(table, found.get(key), expected.get(key)))


def _block(rows: RawSnapshot, height: int) -> Block | None:
    found = rows.rows_with("block", height=height)
    return Block(**found[0]) if found else None


def _is_ahead_of(rows: RawSnapshot, head: Block) -> bool:
    """Return True if the database has the node's head, and consecutive blocks after it."""
    line = [_block(rows, head.height), *(Block(**row) for row in rows.blocks_above(head.height))]
    return line[0] == head and len(line) > 1 and all(a and b and is_parent(a, b) for a, b in pairwise(line))
