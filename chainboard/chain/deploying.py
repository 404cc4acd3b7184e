"""Sends a deployment's transactions, by the journal: killed and run again, nothing is paid for twice."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from contracts import create2
from contracts.deploy import DeployError, DeploymentPlan, Step
from contracts.rpc_errors import Request, RpcError
from transactions.chain_client import ChainClient
from transactions.journal import Journal
from transactions.manager import TransactionManager
from transactions.model import Tx

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

DEPLOYMENT_SECONDS = 600
NUMBER_PROBE = "0x435f5260205ff3"
"""Returns what contracts see as `block.number`."""
NEAR_BLOCKS = 64
"""Replicas behind one address are as far apart, and a call may run in the next block."""
MINED = ("mined", "final")


class DeploymentSender:
    """Sends what a plan lacks from one account. `journal` is the data folder's."""

    def __init__(self, request: Request, account: LocalAccount, journal: Journal) -> None:
        self._request, self._journal, self._account = request, journal, account
        self._manager = TransactionManager(request, account, journal)

    async def settle(self) -> None:
        """Waits for what an earlier run that was killed has sent, or signed. Raises DeployError."""
        async with _limited():
            await self._manager.check()
            for tx in await self._manager.unsettled():
                await self._manager.settled(tx)

    async def send(self, plan: DeploymentPlan) -> None:
        """Sends all steps together. Raises DeployError."""
        async with _limited():
            await self._manager.check()
            sent = [(one, await self._submit(one)) for one in plan.steps]
            for step, tx in sent:
                settled = await self._manager.settled(tx)
                if settled.state not in MINED:
                    raise DeployError(f"{step.title} was not deployed: {settled.reason or settled.state}")

    async def _submit(self, step: Step) -> Tx:
        """Under a key of its own when an earlier transaction is in a block, and did not leave the contract there: it
        ran out of gas, or a development chain has forgotten it."""
        earlier = [one for one in await self._earlier() if one.request.key and _is_of(step.key, one.request.key)]
        ended = sum(one.state in (*MINED, "failed") for one in earlier)
        return await self._manager.submit(step.to, step.data, key=f"{step.key} #{ended}")

    async def height(self, address: str) -> int | None:
        """The block in which a transaction of the journal has created the contract; None where there is none."""
        key = Step("", create2.DEPLOYER, "", address).key
        earlier = [one for one in await self._earlier() if one.request.key and _is_of(key, one.request.key)]
        return next((one.block for one in reversed(earlier) if one.state in MINED), None)

    async def _earlier(self) -> list[Tx]:
        chain = await ChainClient(self._request, self._account).identity()
        return await asyncio.to_thread(self._journal.all, chain, self._account.address)


@contextlib.asynccontextmanager
async def _limited() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(DEPLOYMENT_SECONDS):
            yield
    except TimeoutError:
        raise DeployError(
            f"not all of its transactions were in a block after {DEPLOYMENT_SECONDS} s: run it again, it goes on from "
            "there and pays for none twice"
        ) from None


def _is_of(key: str, attempt: str) -> bool:
    return attempt.startswith(f"{key} #")


async def require_deployer(request: Request, development: bool) -> None:
    """Raises DeployError where the deployer at the fixed address is missing; a development chain gets it."""
    if await _code(request) == create2.DEPLOYER_CODE:
        return
    if development:
        with contextlib.suppress(RpcError):
            await request("hardhat_setCode", (create2.DEPLOYER, create2.DEPLOYER_CODE))
        if await _code(request) == create2.DEPLOYER_CODE:
            return
    raise DeployError(
        f"this chain lacks the deployer at {create2.DEPLOYER}, by which contracts get the same address on each chain. "
        "Anybody can put it there: https://github.com/Arachnid/deterministic-deployment-proxy says how"
    )


async def has_own_block_numbers(request: Request) -> bool:
    """Whether contracts see the numbers of the chain's own blocks: on Arbitrum they see those of the chain beneath."""
    seen = int(await request("eth_call", ({"data": NUMBER_PROBE}, "latest")), 16)
    return abs(int(await request("eth_blockNumber", ()), 16) - seen) <= NEAR_BLOCKS


async def _code(request: Request) -> str:
    return str(await request("eth_getCode", (create2.DEPLOYER, "latest"))).lower()


async def first_block(request: Request, address: str) -> int:
    """The height of the block that created a contract which is there, by halving. Raises DeployError where the node
    has no state that old."""
    low, high = 0, int(await request("eth_blockNumber", ()), 16)
    while low < high:
        middle = (low + high) // 2
        try:
            code = await request("eth_getCode", (address, hex(middle)))
        except RpcError as error:
            raise DeployError(
                f"the block that created {address} can't be looked for: the node has no state of block {middle} "
                f"({error}). Name a node that keeps old states with --rpc"
            ) from error
        low, high = (middle + 1, high) if code == "0x" else (low, middle)
    return low
