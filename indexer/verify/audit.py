"""A database beside the chain: an index made anew from the receipts, compared row for row, and the contracts' views."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic

from indexer.fetch.fetcher import Changed, follows
from indexer.follow.seq_check import Unconfirmed, gone_on
from indexer.gamekit.game import Game
from indexer.model import Block, Deployment, MatchKey
from indexer.node.client import Node, NodeError, NodeLost
from indexer.store.store import Store
from indexer.verify.contract_views import Unlisted, Views, Witness
from indexer.verify.differences import FileDiffers, RowDiffers
from indexer.verify.match_history import Moments
from indexer.verify.partitions import parts
from indexer.verify.raw_tables import OPTIONAL, Key, Part, Raw, Row, Rows
from indexer.verify.rebuild import Rebuild

GRACE_SECONDS, PAUSE_SECONDS = 5.0, 0.2
"""How long the database and the node may be on their way, when others write: a reorg under way is no difference."""
TRIES = 4
MOST_WRONG = 100
FILE = "file"
"""Counts the faults of the file itself among the tables."""


class NodeBehind(Exception):
    """The node's chain is shorter than the database's, and nothing says that it forked: it may lag."""

    def __init__(self, head: int, height: int) -> None:
        super().__init__(f"the node is at block {head}, the database at {height}")
        self.head, self.height = head, height


@dataclass(slots=True)
class Compared:
    """The rows up to the block `top` of the database; the chain goes on to `head`. `wrong`: the first of what differs,
    `differing`: how many rows there are by table, `parts`: where they are. `held`: what the chain has, by table."""

    top: int
    head: int
    wrong: list[FileDiffers | RowDiffers] = field(default_factory=list)
    differing: Counter[str] = field(default_factory=Counter)
    parts: list[Part] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=dict)


class Proof:
    """One database and one chain. `store`, whose rows are `fresh`, is empty and has adopted the chain. `alone`: nobody
    else writes to the database. Everything raises NodeLost, NodeError, Changed, BadReceipts, BadLog, SeqHole, BadEvent,
    Unconfirmed or Unlisted when the node's word can't be had or does not fit, StoreError when a database can't be
    used."""

    def __init__(
        self,
        node: Node,
        database: Raw,
        fresh: Raw,
        store: Store,
        games: Mapping[str, Game],
        deployments: Sequence[Deployment],
        only: MatchKey | None = None,
        alone: bool = False,
        show: Callable[[int, int], None] = lambda _done, _whole: None,
    ) -> None:
        self._node, self._games, self._deployments = node, games, deployments
        self._only, self._alone = only, alone
        self._database, self._fresh, self._store = database, fresh, store
        self._rebuild = Rebuild(node, store, deployments, only, show)

    def close(self) -> None:
        self._rebuild.close()
        for one in (self._database, self._fresh):
            one.close()

    async def views(self) -> Views:
        """What the contracts say at the blocks that the database holds, beside the boards that the chain's events
        make."""
        for _ in range(TRIES):
            with self._database.snapshot() as rows:
                height = self._top(rows, (await self._node.head()).height)
            await self._to(height)
            top = self._rebuild.recent(height)
            if top is None:
                return Views()
            with self._store.read() as view, self._fresh.snapshot() as held:
                views = await self._heard(Moments(view, held, self._games, self._rebuild.recent), top)
            if await self._node.block(top.height) == top:
                return views
        raise Changed("the chain changes faster than it can be looked at")

    async def _heard(self, moments: Moments, top: Block) -> Views:
        """What does not fit is asked again when the chain has gone on."""
        witness = Witness(self._node, self._deployments, self._games)
        with suppress(Unconfirmed, Unlisted):
            views = await witness.hear(moments, self._rebuild.first, top, self._only)
            if not views.differing:
                return views
        await gone_on(self._node, top)
        return await witness.hear(moments, self._rebuild.first, top, self._only)

    async def rows(self) -> Compared:
        """All rows of the database, as of one moment, beside those of an index made anew to the same block. Raises
        NodeBehind, too."""
        deadline = monotonic() + (0 if self._alone else GRACE_SECONDS)
        while True:
            with self._database.snapshot() as rows:
                head = await self._node.head()
                short = not self._node.ours and _goes_on(rows, head)
                if not short:
                    top = self._top(rows, head.height)
                    await self._to(top)
                    if monotonic() >= deadline or not self._left(rows, top):
                        return await self._compared(rows, Compared(top, head.height))
                elif monotonic() >= deadline:
                    raise NodeBehind(head.height, rows.blocks_above(head.height)[-1]["height"])
            await asyncio.sleep(PAUSE_SECONDS)

    def mend(self, compared: Compared) -> None:
        """Writes the chain's rows where they differ."""
        with self._fresh.snapshot() as right:
            self._database.mend(compared.parts, right, indexes=FILE in compared.differing)

    def _top(self, rows: Rows, head: int) -> int:
        return max(rows.top(head) or 0, self._rebuild.first - 1)

    async def _to(self, height: int) -> None:
        """Patient while the chain changes, or the node does not answer."""
        failures = 0
        while True:
            before = self._rebuild.height
            try:
                return await self._rebuild.to(height)
            except (Changed, NodeLost, NodeError):
                failures = 0 if self._rebuild.height > before else failures + 1
                if failures == TRIES:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    def _left(self, rows: Rows, height: int) -> bool:
        """Whether the chain has another block where the database ends: what is below may be so, too, for a moment."""
        found, wanted = _block(rows, height), self._rebuild.recent(height)
        return found is not None and wanted is not None and found.hash != wanted.hash

    async def _compared(self, rows: Rows, compared: Compared) -> Compared:
        compared.wrong += map(FileDiffers, await asyncio.to_thread(self._database.faults))
        if compared.wrong:
            compared.differing[FILE] = len(compared.wrong)
        with self._fresh.snapshot() as chain:
            for part in parts(chain, rows, self._only):
                wanted, found = chain.part(part), rows.part(part)
                if part.table == OPTIONAL:
                    wanted = {key: row for key, row in wanted.items() if key in found}
                if wanted != found:
                    compared.parts.append(part)
                    _note(compared, part.table, found, wanted)
                await asyncio.sleep(0)  # may be cancelled here
            if self._only is None:
                _confirmed(compared, rows)
            compared.held = {name: chain.count(name) for name in ("block", "event", "match")}
        return compared


def _confirmed(compared: Compared, rows: Rows) -> None:
    """How far the counts were borne out is no matter of the chain; but it can't be beyond what is there."""
    part = Part("confirmed")
    found = rows.part(part)
    if len(found) > 1 or any(not isinstance(height, int) or height > compared.top for (height,) in found):
        compared.parts.append(part)
        _note(compared, part.table, found, {})


def _note(compared: Compared, table: str, found: Mapping[Key, Row], wanted: Mapping[Key, Row]) -> None:
    for key in {**wanted, **found}:
        if found.get(key) != wanted.get(key):
            compared.differing[table] += 1
            if len(compared.wrong) < MOST_WRONG:
                compared.wrong.append(RowDiffers(table, found.get(key), wanted.get(key)))


def _block(rows: Rows, height: int) -> Block | None:
    found = rows.some("block", height=height)
    return Block(**found[0]) if found else None


def _goes_on(rows: Rows, head: Block) -> bool:
    """Whether the database has the node's head, and blocks one after the other on from there."""
    line = [_block(rows, head.height), *(Block(**row) for row in rows.blocks_above(head.height))]
    return line[0] == head and len(line) > 1 and all(a and b and follows(a, b) for a, b in pairwise(line))
