"""The node: JSON-RPC requests over HTTP, and the bell of its new heads over a websocket. The one door to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from aiohttp import ClientError, ClientTimeout
from web3 import AsyncHTTPProvider
from web3.exceptions import Web3Exception
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from indexer.model import Block, Chain

Log: TypeAlias = dict[str, Any]
"""A log as the node's JSON has it."""

REQUEST_SECONDS = 20
RECONNECT_SECONDS = 1.0
HEADERS_PER_BATCH = 200
BAD_ANSWER = -32000
"""The code of errors that the node gave without one, or in an answer that can't be read."""
SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'


class NodeError(Exception):
    """The node answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NodeLost(Exception):
    """The node does not answer, or not in JSON-RPC."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"no node answers at {url}: {why}")
        self.url, self.why = url, why


class Node:
    """One node, by the address of its HTTP endpoint. `ours` says that we started it, so that its word is final."""

    def __init__(self, url: str, ours: bool = False, websocket_url: str | None = None) -> None:
        self.url, self.ours = url, ours
        self._websocket_url = websocket_url or "ws" + url.removeprefix("http")
        self._provider = AsyncHTTPProvider(
            url, request_kwargs={"timeout": ClientTimeout(total=REQUEST_SECONDS)}, exception_retry_configuration=None
        )

    async def aclose(self) -> None:
        """Closes the connections that requests left open."""
        await self._provider.disconnect()

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        """One request. Raises NodeError for an error answer, NodeLost where there is none."""
        try:
            answer: Any = await self._provider.make_request(method, list(params))
        except (ClientError, OSError, TimeoutError, ValueError, Web3Exception) as error:
            raise NodeLost(self.url, str(error) or type(error).__name__) from error
        return self._result(answer)

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """Several requests in one message, answered in the same order."""
        batch: Any = [(method, list(params)) for method, params in calls]
        try:
            answers: Any = await self._provider.make_batch_request(batch)
        except (ClientError, OSError, TimeoutError, ValueError, Web3Exception) as error:
            raise NodeLost(self.url, str(error) or type(error).__name__) from error
        if not isinstance(answers, list) or len(answers) != len(calls):
            raise NodeLost(self.url, "a batch was not answered whole")
        return [self._result(answer) for answer in answers]

    def _result(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or ("result" not in answer and "error" not in answer):
            raise NodeLost(self.url, "the answer is no JSON-RPC")
        error = answer.get("error")
        if error is None:
            return answer["result"]
        if not isinstance(error, dict):
            raise NodeError(BAD_ANSWER, str(error))
        raise NodeError(error.get("code", BAD_ANSWER), str(error.get("message", "")), error.get("data"))

    async def chain(self) -> Chain:
        """Which chain the node is on."""
        chain_id, genesis = await self.requests([("eth_chainId", ()), ("eth_getBlockByNumber", ("0x0", False))])
        return Chain(int(chain_id, 16), _block(genesis).hash)

    async def head(self) -> Block:
        """The newest block."""
        return _block(await self.request("eth_getBlockByNumber", ("latest", False)))

    async def block(self, height: int) -> Block | None:
        """The block at this height, None beyond the head."""
        raw = await self.request("eth_getBlockByNumber", (hex(height), False))
        return _block(raw) if raw else None

    async def blocks(self, first: int, last: int) -> list[Block]:
        """The blocks from `first` to `last`, both included; fewer where the node's chain has become shorter."""
        found: list[Block] = []
        for start in range(first, last + 1, HEADERS_PER_BATCH):
            heights = range(start, min(start + HEADERS_PER_BATCH, last + 1))
            answers = await self.requests([("eth_getBlockByNumber", (hex(height), False)) for height in heights])
            found += [_block(raw) for raw in answers if raw]
        return found

    async def logs_of_block(self, hash: str, addresses: Sequence[str]) -> list[Log]:
        """The logs of one block, asked for by its hash: a node that has dropped the block says so."""
        return await self._logs({"blockHash": hash, "address": list(addresses)})

    async def logs_between(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
        """The logs of a range of blocks, both ends included."""
        return await self._logs({"fromBlock": hex(first), "toBlock": hex(last), "address": list(addresses)})

    async def _logs(self, query: dict[str, Any]) -> list[Log]:
        logs: list[Log] = await self.request("eth_getLogs", (query,))
        return logs

    async def listen(self, ring: Callable[[], None]) -> None:
        """Rings at each new head, until cancelled; connects again when the connection ends.

        A ring says that there is something new, not what: heads can be missed and repeated, so none is even read. The
        connection is one of its own: requests on the same one would delay the heads."""
        while True:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                async with connect(self._websocket_url) as socket:
                    await socket.send(SUBSCRIBE)
                    async for _head in socket:
                        ring()
            ring()  # what was missed meanwhile is found by asking
            await asyncio.sleep(RECONNECT_SECONDS)


def _block(raw: Any) -> Block:
    try:
        return Block(int(raw["number"], 16), raw["hash"], raw["parentHash"], int(raw["timestamp"], 16))
    except (KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node gave a block that can't be read: {str(raw)[:200]}") from error
