"""Sends a deployment's transactions through the journal. If a run is killed, the next run continues
it and pays for no transaction twice."""

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
"""EVM code that returns `block.number` as contracts on the chain see it."""
NEAR_BLOCKS = 64
"""The number of blocks by which the node's height and the height that contracts see may differ.
Replicas behind one address can be this far apart, and a call can run in the next block."""
MINED = ("mined", "final")


class DeploymentSender:
    """Sends the transactions of a deployment plan from one account. `journal` is the journal in the
    data folder."""

    def __init__(self, request: Request, account: LocalAccount, journal: Journal) -> None:
        self._request, self._journal, self._account = request, journal, account
        self._manager = TransactionManager(request, account, journal)

    async def settle(self) -> None:
        """Wait for the transactions that an earlier run signed or sent before it was killed. Raises
        DeployError if this takes too long."""
        async with _deployment_timeout():
            await self._manager.check()
            for tx in await self._manager.unsettled():
                await self._manager.settled(tx)

    async def send(self, plan: DeploymentPlan) -> None:
        """Send the transactions of all steps at once, and wait until they are mined. Raises
        DeployError if a transaction fails or takes too long."""
        async with _deployment_timeout():
            await self._manager.check()
            sent = [(one, await self._submit(one)) for one in plan.steps]
            for step, tx in sent:
                settled = await self._manager.settled(tx)
                if settled.state not in MINED:
                    raise DeployError(f"{step.title} could not be deployed: {settled.reason or settled.state}")

    async def _submit(self, step: Step) -> Tx:
        """Submit a step's transaction. The step gets a new key if an earlier transaction was mined
        but the contract is missing. For example, the transaction ran out of gas, or a development
        chain lost the contract."""
        earlier = [one for one in await self._earlier() if one.request.key and _is_of(step.key, one.request.key)]
        ended = sum(one.state in (*MINED, "failed") for one in earlier)
        return await self._manager.submit(step.to, step.data, key=f"{step.key} #{ended}")

    async def height(self, address: str) -> int | None:
        """Return the height of the block in which a transaction from the journal created the
        contract. Return None if there is no such transaction."""
        key = Step("", create2.DEPLOYER, "", address).key
        earlier = [one for one in await self._earlier() if one.request.key and _is_of(key, one.request.key)]
        return next((one.block for one in reversed(earlier) if one.state in MINED), None)

    async def _earlier(self) -> list[Tx]:
        chain = await ChainClient(self._request, self._account).identity()
        return await asyncio.to_thread(self._journal.all, chain, self._account.address)


@contextlib.asynccontextmanager
async def _deployment_timeout() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(DEPLOYMENT_SECONDS):
            yield
    except TimeoutError:
        raise DeployError(
            f"some transactions were not mined within {DEPLOYMENT_SECONDS} s. Run this command again: it continues "
            "where it stopped and pays for no transaction twice"
        ) from None


def _is_of(key: str, attempt: str) -> bool:
    return attempt.startswith(f"{key} #")


async def require_deployer(request: Request, development: bool) -> None:
    """Check that the chain has the shared deployer. If it is missing, install it on a development
    chain, or raise DeployError on any other chain."""
    if await _code(request) == create2.DEPLOYER_CODE:
        return
    if development:
        with contextlib.suppress(RpcError):
            await request("hardhat_setCode", (create2.DEPLOYER, create2.DEPLOYER_CODE))
        if await _code(request) == create2.DEPLOYER_CODE:
            return
    raise DeployError(
        f"this chain lacks the deployer at {create2.DEPLOYER}, which gives contracts the same address on every chain. "
        "Anyone can install it: see https://github.com/Arachnid/deterministic-deployment-proxy"
    )


async def has_own_block_numbers(request: Request) -> bool:
    """Return True if `block.number` in contracts is the chain's own block number. On Arbitrum,
    contracts see the block numbers of layer 1 instead."""
    seen = int(await request("eth_call", ({"data": NUMBER_PROBE}, "latest")), 16)
    return abs(int(await request("eth_blockNumber", ()), 16) - seen) <= NEAR_BLOCKS


async def _code(request: Request) -> str:
    return str(await request("eth_getCode", (create2.DEPLOYER, "latest"))).lower()


async def first_block(request: Request, address: str) -> int:
    """Return the height of the block that created an existing contract, found by binary search.
    Raises DeployError if the node doesn't have the states of old blocks."""
    low, high = 0, int(await request("eth_blockNumber", ()), 16)
    while low < high:
        middle = (low + high) // 2
        try:
            code = await request("eth_getCode", (address, hex(middle)))
        except RpcError as error:
            raise DeployError(
                f"can't find the block that created {address}: the node doesn't have the state of block {middle} "
                f"({error}). Set --rpc to a node that keeps old states"
            ) from error
        low, high = (middle + 1, high) if code == "0x" else (low, middle)
    return low
