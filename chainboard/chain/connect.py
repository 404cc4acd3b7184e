"""Opens the chain that a command works on. The chain is behind the nodes of --rpc, or in the
embedded Anvil node."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from chainboard.chain.anvil import Anvil
from chainboard.console import console
from chainboard.errors import UserError
from chainboard.settings import NO_WEBSOCKET, Settings
from indexer.model import Block, Chain, Deployment, WrongChain
from indexer.node.client import Node, NodeError, NodeUnavailable, is_local
from indexer.node.failover import FailoverNode
from indexer.node.identity import ChainIdentity
from indexer.node.limits import LimitsFile
from indexer.node.pacer import Pacer
from transactions.retry import with_retries

SAVE_SECONDS = 10.0
"""The seconds between two writes of the limits that were learned from node providers."""
CLOCK_SKEW_SECONDS = 1800
"""If the chain's clock and this machine's clock differ by at least this number of seconds, one of
them counts as wrong. Wrong clocks are usually off by whole hours. Smaller differences can come from
slow blocks."""
NEXT_BLOCK_SECONDS = 30
"""The number of seconds to wait for a new block. If the newest block is old but another block
arrives in this time, the chain isn't idle."""


@asynccontextmanager
async def open_chain(settings: Settings) -> AsyncIterator[tuple[Node, Anvil | None]]:
    """Yield the node. If it is the embedded node, also yield its Anvil object, otherwise None. At
    the end of the `with` block, save and stop the embedded chain."""
    if not settings.rpc:
        if settings.rpc_ws:
            raise UserError("--rpc-ws needs --rpc, because the embedded chain has its own websocket")
        anvil = await Anvil.start(settings.chain, settings.block_time)
        try:
            yield anvil.node, anvil
        finally:
            await _save_and_stop(anvil)
        return
    limits = LimitsFile(settings.providers)
    node = node_at(settings, settings.rpc, limits)
    saving = asyncio.create_task(_save_regularly(limits))
    try:
        yield node, None
    finally:
        saving.cancel()
        limits.save()
        await node.aclose()


async def _save_regularly(limits: LimitsFile) -> None:
    while True:
        await asyncio.sleep(SAVE_SECONDS)
        await asyncio.to_thread(limits.save)


async def _save_and_stop(anvil: Anvil) -> None:
    try:
        if anvil.alive:
            await anvil.save()
    except (NodeUnavailable, NodeError):
        pass  # Anvil exited first, but the last save is intact
    except OSError as error:
        raise UserError(f"can't save the chain ({error.strerror}), but its last save is intact") from error
    finally:
        await anvil.stop()


def node_at(settings: Settings, urls: Sequence[str], known: LimitsFile | None = None) -> Node:
    """Return a node for one URL, or a failover node for several URLs. Raises UserError if one of
    them isn't an HTTP URL."""
    for url in urls:
        if not _is_node_url(url):
            raise UserError(f"--rpc {url!r} is not a node's URL: use a URL such as http://127.0.0.1:8545")
    sockets = _websockets(settings.rpc_ws, len(urls))
    file, nodes = known or LimitsFile(settings.providers), list[Node]()
    for url, socket in zip(urls, sockets, strict=True):
        limits = file.limits(url)
        pacer = Pacer(limits, settings.rpc_rate, slow_start=not is_local(url))
        nodes.append(Node(url, websocket_url=socket, seconds=settings.rpc_timeout, limits=limits, pacer=pacer))
    return nodes[0] if len(nodes) == 1 else FailoverNode(nodes)


def _is_node_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _websockets(configured: Sequence[str], nodes: int) -> Sequence[str | None]:
    """Return the websocket URL for each node. None means that the node's websocket has the same
    address as the node. Raises UserError if URLs are configured, but not exactly one for each
    node."""
    if not configured:
        return [None] * nodes
    if set(configured) == {NO_WEBSOCKET}:
        return [NO_WEBSOCKET] * nodes
    if len(configured) != nodes:
        raise UserError(
            f"there are {len(configured)} --rpc-ws options for {nodes} --rpc options: use one --rpc-ws for each --rpc, "
            f"in the same order, or a single --rpc-ws {NO_WEBSOCKET}"
        )
    return configured


async def chain_of(node: Node) -> Chain:
    """Return the identity of the node's chain. Raises UserError if no node answers."""
    try:
        return await with_retries(node.chain)
    except NodeUnavailable as error:
        raise UserError(f"{error}. Start a node there, or omit --rpc to use the embedded chain") from error
    except NodeError as error:
        raise UserError(
            f"the server at {node.url} reports no chain id ({error.message}): use the JSON-RPC URL of an Ethereum node"
        ) from error


async def require_deployed(node: Node, chain: Chain, deployments: Sequence[Deployment]) -> None:
    """Check that these contracts are on the node's chain. Raises UserError if they aren't."""
    try:
        await with_retries(ChainIdentity(node, chain, deployments).check)
    except WrongChain as error:
        raise UserError(
            f"the deployment manifest does not match the chain at {node.url}: {error.why}. "
            "Choose the --data folder of this chain, or deploy again with `chainboard deploy`"
        ) from error
    except (NodeUnavailable, NodeError) as error:
        raise UserError(f"can't check the contracts: {error}") from error


async def warn_about_clock(node: Node) -> None:
    """Print a notice if the newest block's time differs from this machine's clock by half an hour
    or more.

    If the block is ahead of the clock, print the notice immediately. If the block is behind the
    clock, wait for a new block first, because the newest block of an idle chain can be old."""
    with contextlib.suppress(NodeUnavailable, NodeError):
        first = head = await node.head()
        for _ in range(NEXT_BLOCK_SECONDS):
            ahead = head.time - time.time()
            if abs(ahead) < CLOCK_SKEW_SECONDS:
                return
            if ahead > 0 or head.height > first.height:
                console.print(_clock_warning(head, ahead), soft_wrap=True)
                return
            await asyncio.sleep(1)
            head = await node.head()


def _clock_warning(head: Block, ahead: float) -> str:
    syncing = "" if ahead > 0 else ", or the node is still syncing"
    return (
        f"The time of block {head.height} is {abs(ahead) / 3600:.1f} hours {'ahead of' if ahead > 0 else 'behind'} "
        f"this machine's clock. The chain's time or this clock is wrong{syncing}. Matches are safe, because contracts "
        "and players' clocks use the chain's time. Nothing is paid twice. But displayed times and daily budgets use "
        "this machine's clock, so they may be wrong"
    )
