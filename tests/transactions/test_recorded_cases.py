"""Tests that the transaction manager passes the recorded cases, which the page's manager must also
pass. The cases use a model of a failing node."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import PATIENCE_SECONDS
from tests.transactions.model_node import ME, OTHERS_FEE, Account, ModelNode, ModelTransaction, hex_of
from transactions.chain_client import FINAL_BLOCKS
from transactions.journal import Journal
from transactions.manager import TransactionManager
from transactions.model import Tx
from transactions.states import TRANSITIONS

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures/vectors/transactions.json").read_text("utf-8"))
CASES = VECTORS["cases"]
TO = "0x" + "22" * 20


class CaseRunner:
    """Runs one case with a node, a journal and a transaction manager. If the case restarts the
    program, a new manager replaces the old one."""

    def __init__(self, node: ModelNode, path: Path) -> None:
        self.node, self.path, self.minutes = node, path, 0
        self.ids: dict[str, int] = {}
        self.pending: list[asyncio.Task[Any]] = []
        self.submitted: set[str] = set()
        self.begin()

    def begin(self) -> None:
        self.journal = Journal(self.path)
        account: Any = Account()
        self.program = TransactionManager(
            self.node.request, account, self.journal, lambda _seconds: asyncio.sleep(0), lambda: 1e9 + 60 * self.minutes
        )

    async def end(self) -> None:
        for task in self.pending:
            task.cancel()
        await asyncio.gather(*self.pending, return_exceptions=True)
        self.pending.clear()
        self.journal.close()

    async def do(self, name: str, *given: Any) -> None:
        await getattr(self, f"do_{name}")(*given)

    async def do_submit(self, data: str) -> None:
        self.submitted.add(hex_of(data))
        self.pending.append(asyncio.create_task(self.program.submit(TO, hex_of(data))))

    async def do_settle(self) -> None:
        """Wait until all submissions are done, or until the program has been killed."""
        dead = asyncio.create_task(self.node.dead.wait())
        idle = asyncio.gather(*self.pending)
        await asyncio.wait([dead, idle], return_when=asyncio.FIRST_COMPLETED)
        dead.cancel()
        if self.node.dead.is_set():  # a slow disk might not have stored all submissions yet
            while not self.submitted <= {tx.request.data for tx in await self.all()}:
                await asyncio.sleep(0)
            idle.cancel()
            await asyncio.gather(idle, return_exceptions=True)
        else:
            await idle
            self.pending.clear()
            await self.program.check()

    async def do_check(self) -> None:
        if not self.node.dead.is_set():
            self.pending.append(asyncio.create_task(self.program.check()))
            await self.do_settle()

    async def do_restart(self) -> None:
        await self.end()
        self.node.dead.clear()
        self.begin()
        self.pending.append(asyncio.create_task(self.program.check()))

    async def do_cancel(self, data: str) -> None:
        self.pending.append(asyncio.create_task(self.program.cancel(await self.tx(data))))

    async def do_mine(self, blocks: int) -> None:
        self.node.mine(blocks)

    async def do_forget(self, data: str) -> None:
        self.node.pool = {nonce: raw for nonce, raw in self.node.pool.items() if raw.data != data}

    async def do_revert(self, blocks: int) -> None:
        self.node.revert_blocks(blocks, into_pool=False)

    async def do_reorg(self, blocks: int) -> None:
        self.node.revert_blocks(blocks, into_pool=True)

    async def do_other(self, count: int) -> None:
        for _ in range(count):
            self.node.accept(ModelTransaction(self.node.free, "other", OTHERS_FEE))

    async def do_base(self, fee: int) -> None:
        self.node.base = fee

    async def do_refuse(self, data: str) -> None:
        self.node.rejected.add(data)

    async def do_later(self, minutes: int) -> None:
        self.minutes += minutes

    async def do_genesis(self) -> None:
        self.node.reset_chain()

    async def tx(self, data: str) -> Tx:
        return next(tx for tx in await self.all() if tx.request.data == hex_of(data))

    async def all(self) -> list[Tx]:
        """Return all transactions on this chain from the manager's journal."""
        block = await self.node.eth_getBlockByNumber("0x0", False)
        assert block is not None
        return self.journal.all(f"31337:{block['hash']}", ME)


@asynccontextmanager
async def staged(rules: dict[str, Any], path: Path) -> AsyncIterator[CaseRunner]:
    stage = CaseRunner(ModelNode(rules), path)
    yield stage
    await stage.end()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_a_recorded_case(case: dict[str, Any], tmp_path: Path) -> None:
    expected = case["expect"]
    async with asyncio.timeout(PATIENCE_SECONDS), staged(case["node"], tmp_path / "journal.db") as stage:
        for step in case["do"]:
            await stage.do(*step)
        found = {bytes.fromhex(tx.request.data[2:]).decode(): tx for tx in await stage.all()}
        assert stage.node.chain() == expected.get("chain", stage.node.chain())
        states = {data: found[data].state if data in found else None for data in expected.get("states", {})}
        assert states == expected.get("states", {})
        assert {data: found[data].nonce for data in expected.get("nonces", {})} == expected.get("nonces", {})
        stuck = [data for data, tx in found.items() if tx.stuck]
        assert stuck == expected.get("stuck", stuck)


def test_the_life_is_the_recorded_one() -> None:
    assert {state: list(following) for state, following in TRANSITIONS.items()} == VECTORS["life"]


def test_each_state_is_reached_by_some_case() -> None:
    reached = {state for case in CASES for state in case["expect"].get("states", {}).values()}
    assert reached >= set(TRANSITIONS) - {"waiting", "simulated", "signed"}


def test_blocks_are_final_where_the_page_calls_them_final() -> None:
    page = Path(__file__).parents[2] / "frontend-static/chain/tx/chain-client.js"
    assert re.findall(r"^const FINAL_BLOCKS = (\d+);", page.read_text("utf-8"), re.MULTILINE) == [str(FINAL_BLOCKS)]
