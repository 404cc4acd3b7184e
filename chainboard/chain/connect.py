"""The chain a command works on: the one given by --rpc, or the embedded Anvil."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from chainboard.chain.anvil import Anvil
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.model import Chain, Deployment, WrongChain
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.failover import FailoverNode
from indexer.node.identity import ChainIdentity
from transactions.retry import with_retries


@asynccontextmanager
async def open_chain(settings: Settings) -> AsyncIterator[tuple[Node, Anvil | None]]:
    """The node, and the Anvil behind it when it is embedded; saved and ended on leaving."""
    if not settings.rpc:
        anvil = await Anvil.start(settings.chain, settings.block_time)
        try:
            yield anvil.node, anvil
        finally:
            await _end(anvil)
        return
    node = node_at(settings.rpc, settings.rpc_timeout)
    try:
        yield node, None
    finally:
        await node.aclose()


async def _end(anvil: Anvil) -> None:
    try:
        if anvil.alive:
            await anvil.save()
    except (NodeUnavailable, NodeError):
        pass  # it ended before us; the last save is intact
    except OSError as error:
        raise UserError(f"the chain could not be saved ({error.strerror}): its last save stands") from error
    finally:
        await anvil.stop()


def node_at(urls: Sequence[str], seconds: float) -> Node:
    """The node at the user's URL, or a failover node for several. Raises UserError for what is no URL."""
    for url in urls:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UserError(f"--rpc {url!r} is no node's address: give one like http://127.0.0.1:8545")
    nodes = [Node(url, seconds=seconds) for url in urls]
    return nodes[0] if len(nodes) == 1 else FailoverNode(nodes)


async def chain_of(node: Node) -> Chain:
    """The node's chain. Raises UserError when no node answers."""
    try:
        return await with_retries(node.chain)
    except NodeUnavailable as error:
        raise UserError(f"{error}. Start one there, or leave --rpc out for the embedded chain") from error
    except NodeError as error:
        raise UserError(
            f"what answers at {node.url} does not say which chain it is on ({error.message}): "
            "give the address of an Ethereum node's JSON-RPC"
        ) from error


async def require_deployed(node: Node, chain: Chain, deployments: Sequence[Deployment]) -> None:
    """Raises UserError unless these contracts are on the node's chain."""
    try:
        await with_retries(ChainIdentity(node, chain, deployments).check)
    except WrongChain as error:
        raise UserError(
            f"the deployment manifest does not fit the chain at {node.url}: {error.why}. "
            "Choose the --data folder of this chain, or deploy anew with `chainboard deploy`"
        ) from error
    except (NodeUnavailable, NodeError) as error:
        raise UserError(f"the contracts could not be looked for: {error}") from error
