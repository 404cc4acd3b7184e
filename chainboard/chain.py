"""The chain a command works on: the one given by --rpc, or the embedded Anvil."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from chainboard.anvil import Anvil
from chainboard.settings import Settings
from chainboard.trouble import Trouble
from indexer.model import Chain
from indexer.node import Node, NodeError, NodeLost


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[tuple[Node, Anvil | None]]:
    """The node, and the Anvil behind it when it is ours; saved and ended on leaving."""
    if settings.rpc is None:
        anvil = await Anvil.start(settings.chain, settings.block_time)
        try:
            yield anvil.node, anvil
        finally:
            await _end(anvil)
        return
    node = given(settings.rpc)
    try:
        yield node, None
    finally:
        await node.aclose()


async def _end(anvil: Anvil) -> None:
    try:
        if anvil.alive:
            await anvil.save()
    except (NodeLost, NodeError):
        pass  # it ended before us; the last save stands
    except OSError as error:
        raise Trouble(f"the chain could not be saved ({error.strerror}): its last save stands") from error
    finally:
        await anvil.stop()


def given(url: str) -> Node:
    """The node at an address of the user's. Raises Trouble for what is no address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Trouble(f"--rpc {url!r} is no node's address: give one like http://127.0.0.1:8545")
    return Node(url)


async def identified(node: Node) -> Chain:
    """Which chain the node is on. Raises Trouble when no node answers."""
    try:
        return await node.chain()
    except NodeLost as error:
        raise Trouble(f"{error}. Start one there, or leave --rpc out for the embedded chain") from error
    except NodeError as error:
        raise Trouble(f"the node at {node.url} does not say which chain it is on: {error.message}") from error
