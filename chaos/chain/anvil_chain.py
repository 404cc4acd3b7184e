"""A real Anvil node that can be replaced by a new node with a new chain."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from chainboard.chain.anvil import Anvil
from chaos.chain.node_chain import DevelopmentChain
from indexer.node.client import Node


class AnvilChain(DevelopmentChain):
    """A chain on an Anvil node. The kit's own requests go directly to the node, not through the
    fault proxy.

    If the node is replaced, its address changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._anvil: Anvil | None = None
        self._number = 0

    @property
    def node(self) -> Node:
        assert self._anvil is not None
        return self._anvil.node

    @property
    def url(self) -> str:
        return self.node.url

    async def start(self) -> None:
        """Start a node with a new chain."""
        self._number += 1
        self._anvil = await Anvil.start(self._folder / f"chain-{self._number}")

    async def stop(self) -> None:
        if self._anvil is not None:
            await self._anvil.stop()
            shutil.rmtree(self._folder / f"chain-{self._number}", ignore_errors=True)
            self._anvil = None

    async def replace(self) -> None:
        """Replace the node by a new one whose genesis block is different. The genesis depends only
        on the second in which a node starts. Therefore, try again until the genesis differs."""
        before = await self._genesis()
        while before == (await self._restart()):
            await asyncio.sleep(0.1)

    async def _restart(self) -> str:
        await self.stop()
        await self.start()
        return await self._genesis()

    async def _genesis(self) -> str:
        return str((await self.blocks(0, 0))[0]["hash"])
