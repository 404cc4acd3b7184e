"""The node's client: JSON-RPC over HTTP, and new heads over a websocket. The only code that speaks to a node."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import ClientError, ClientResponseError
from web3.exceptions import Web3Exception
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from contracts.rpc_errors import NoResponse, RpcError
from indexer.model import Block, Chain, Header, Json, Log
from indexer.node.transport import Transport

REQUEST_SECONDS = 20.0
RECONNECT_SECONDS = 1.0
PING_SECONDS = 10
"""How often an idle connection is pinged, and how long the pong may take: else it is opened again."""
HEADERS_PER_BATCH = 200
TOO_MANY_REQUESTS = 429
NO_METHOD = (-32601, -32004)
"""JSON-RPC's code and EIP-1474's, which Hardhat gives."""
BAD_ANSWER = -32000
"""The code of errors that the node gave without one, or in an answer that can't be read."""
SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'
UNREACHABLE = (ClientError, OSError, TimeoutError, ValueError, Web3Exception)


class NodeError(RpcError):
    """The node answered with a JSON-RPC error object."""


class NodeUnavailable(NoResponse):
    """The node does not answer, or not in JSON-RPC. `busy`: it asks for fewer requests."""

    def __init__(self, url: str, why: str, busy: bool = False) -> None:
        super().__init__(f"no node answers at {url}: {why}")
        self.url, self.why, self.busy = url, why, busy


class Node:
    """One node, by the URL of its HTTP endpoint. `is_ours`: we started it, so its head is authoritative. A request may
    take `seconds`."""

    def __init__(
        self, url: str, is_ours: bool = False, websocket_url: str | None = None, seconds: float = REQUEST_SECONDS
    ) -> None:
        self.url, self.is_ours = url, is_ours
        self._websocket_url = websocket_url or "ws" + url.removeprefix("http")
        self._seconds = seconds
        self._transport = Transport(url, seconds)

    def with_own_connections(self) -> Node:
        """The same node with a connection pool of its own: its users can't exhaust the others' connections."""
        return Node(self.url, self.is_ours, self._websocket_url, self._seconds)

    def failover(self) -> bool:
        """Switches to the next node, where there are several; True when there is another."""
        return False

    def expect_chain(self, chain: Chain) -> None:
        """Accepts from now on only nodes of this chain, where there are several."""

    async def aclose(self) -> None:
        """Closes the connections that requests left open."""
        await self._transport.disconnect()

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        """One request. Raises NodeError for an error answer, NodeUnavailable where there is none."""
        try:
            answer = await self._transport.ask(method, list(params))
        except UNREACHABLE as error:
            raise self._unavailable(error) from error
        return self._result(answer)

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """Several requests in one message, answered in the same order. Raises as `request`, for any of them."""
        if not calls:
            return []
        try:
            answers = await self._transport.ask_all([(method, list(params)) for method, params in calls])
        except UNREACHABLE as error:
            raise self._unavailable(error) from error
        return [self._result(answer) for answer in answers]

    def _unavailable(self, error: Exception) -> NodeUnavailable:
        busy = isinstance(error, ClientResponseError) and error.status == TOO_MANY_REQUESTS
        if isinstance(error, TimeoutError):
            return NodeUnavailable(self.url, f"no answer came within {self._seconds:g} seconds")
        return NodeUnavailable(self.url, str(error) or type(error).__name__, busy)

    def _result(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or ("result" not in answer and "error" not in answer):
            raise NodeUnavailable(self.url, "the answer is no JSON-RPC")
        error = answer.get("error")
        if error is None:
            return answer["result"]
        if not isinstance(error, dict):
            raise NodeError(BAD_ANSWER, str(error))
        raise NodeError(error.get("code", BAD_ANSWER), str(error.get("message", "")), error.get("data"))

    async def chain(self) -> Chain:
        """The node's chain id and genesis hash."""
        chain_id, genesis = await self.requests([("eth_chainId", ()), ("eth_getBlockByNumber", ("0x0", False))])
        try:
            return Chain(int(chain_id, 16), _header(genesis).block.hash)
        except (TypeError, ValueError) as error:
            raise NodeError(BAD_ANSWER, f"the node does not say which chain it is on: {error}") from error

    async def head_header(self) -> Header:
        """The header of the newest block."""
        return _header(await self.request("eth_getBlockByNumber", ("latest", False)))

    async def head(self) -> Block:
        """The newest block."""
        return (await self.head_header()).block

    async def block(self, height: int) -> Block | None:
        """The block at this height, None beyond the head."""
        found = await self.headers(height, height)
        return found[0].block if found else None

    async def headers(self, first: int, last: int) -> list[Header]:
        """The headers from `first` to `last`, both included; fewer where the node's chain has become shorter."""
        return await self.headers_at(range(first, last + 1))

    async def headers_at(self, heights: Sequence[int]) -> list[Header]:
        """The headers at these heights, without those beyond the head."""
        return [header for header, _raw in await self.raw_headers_at(heights)]

    async def raw_headers_at(self, heights: Sequence[int]) -> list[tuple[Header, Json]]:
        """The same headers, each with the node's own JSON of the block."""
        found: list[tuple[Header, Json]] = []
        for start in range(0, len(heights), HEADERS_PER_BATCH):
            some = heights[start : start + HEADERS_PER_BATCH]
            answers = await self.requests([("eth_getBlockByNumber", (hex(height), False)) for height in some])
            found += [(_header(raw, height), raw) for raw, height in zip(answers, some, strict=True) if raw]
        return found

    async def logs_of_block(self, hash: str, addresses: Sequence[str]) -> list[Log]:
        """The logs of one block, asked for by its hash: a node that has dropped the block says so."""
        return await self._logs({"blockHash": hash, "address": list(addresses)})

    async def logs_between(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
        """The logs of a range of blocks, both ends included."""
        return await self._logs({"fromBlock": hex(first), "toBlock": hex(last), "address": list(addresses)})

    async def _logs(self, query: dict[str, Any]) -> list[Log]:
        logs = await self.request("eth_getLogs", (query,))
        if not isinstance(logs, list):
            raise NodeError(BAD_ANSWER, f"the node gave logs that are no list: {str(logs)[:200]}")
        return logs

    async def receipts(self, header: Header) -> list[Any]:
        """The receipts of a block, whole or one by one where the node can't give them whole. Unchecked."""
        try:
            found: list[Any] = await self.request("eth_getBlockReceipts", (header.block.hash,))
        except NodeError as error:
            if error.code not in NO_METHOD:
                raise
            found = await self.requests([("eth_getTransactionReceipt", (hash,)) for hash in header.transactions])
        return found

    async def listen(self, notify: Callable[[], None]) -> None:
        """Notifies at each new head, until cancelled; reconnects when the connection ends.

        A notification says that there is something new, not what: heads can be missed and repeated, so none is even
        read. The connection is one of its own: requests on the same one would delay the heads."""
        while True:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                async with connect(
                    self._websocket_url, ping_interval=PING_SECONDS, ping_timeout=PING_SECONDS, proxy=None
                ) as socket:
                    await socket.send(SUBSCRIBE)
                    async for _head in socket:
                        notify()
            notify()  # what was missed meanwhile is found by asking
            await asyncio.sleep(RECONNECT_SECONDS)


def _header(raw: Any, height: int | None = None) -> Header:
    """The header in the node's JSON, which must be the one at this height, if one is given."""
    try:
        block = Block(int(raw["number"], 16), raw["hash"], raw["parentHash"], int(raw["timestamp"], 16))
        header = Header(block, int(raw.get("logsBloom") or "0x0", 16), tuple(raw["transactions"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node gave a block that can't be read: {str(raw)[:200]}") from error
    if height not in (None, block.height):
        raise NodeError(BAD_ANSWER, f"the node gave block {block.height} for block {height}")
    return header
