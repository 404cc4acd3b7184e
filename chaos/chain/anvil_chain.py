"""A real Anvil, which can be replaced by a fresh one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import orjson
from aiohttp import ClientSession

from chainboard.chain.anvil import Anvil

Json: TypeAlias = dict[str, Any]


class CallFailed(Exception):
    """The node answered with an error."""


class AnvilChain:
    """One address of a node after the other. Requests go to Anvil itself, past any proxy."""

    def __init__(self, folder: Path, session: ClientSession) -> None:
        self._folder, self._session = folder, session
        self._anvil: Anvil | None = None
        self._number = 0

    @property
    def url(self) -> str:
        assert self._anvil is not None
        return self._anvil.node.url

    async def start(self) -> None:
        """A chain from its genesis."""
        self._number += 1
        self._anvil = await Anvil.start(self._folder / f"chain-{self._number}")

    async def stop(self) -> None:
        if self._anvil is not None:
            await self._anvil.stop()
            shutil.rmtree(self._folder / f"chain-{self._number}", ignore_errors=True)
            self._anvil = None

    async def replace(self) -> None:
        """Ends this Anvil; a fresh one begins at a genesis of its own, which is that of the second it starts in."""
        before = await self._genesis()
        while before == (await self._restart()):
            await asyncio.sleep(0.1)

    async def _restart(self) -> str:
        await self.stop()
        await self.start()
        return await self._genesis()

    async def _genesis(self) -> str:
        return str((await self.blocks(0, 0))[0]["hash"])

    async def request(self, method: str, *params: Any) -> Any:
        [answer] = await self._post([(method, params)])
        return answer

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """Several in one message; the results in the same order. Raises CallFailed when one is an error."""
        return await self._post(calls) if calls else []

    async def _post(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        body = [
            {"jsonrpc": "2.0", "id": number, "method": method, "params": list(params)}
            for number, (method, params) in enumerate(calls)
        ]
        async with self._session.post(
            self.url, data=orjson.dumps(body), headers={"Content-Type": "application/json"}
        ) as answer:
            by_id = {one["id"]: one for one in orjson.loads(await answer.read())}
        for (method, _params), one in zip(calls, (by_id[number] for number in range(len(calls))), strict=True):
            if "error" in one:
                raise CallFailed(f"{method}: {one['error'].get('message')}")
        return [by_id[number]["result"] for number in range(len(calls))]

    async def head(self) -> Json:
        return dict(await self.request("eth_getBlockByNumber", "latest", False))

    async def height(self) -> int:
        return int(await self.request("eth_blockNumber"), 16)

    async def blocks(self, first: int, last: int) -> list[Json]:
        """The blocks with the hashes of their transactions; fewer when the chain ends before."""
        calls = [("eth_getBlockByNumber", (hex(height), False)) for height in range(first, last + 1)]
        return [one for one in await self.requests(calls) if one is not None]

    async def mine(self, blocks: int = 1) -> None:
        await self.request("anvil_mine", hex(blocks))
