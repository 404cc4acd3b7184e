"""A provider that gives access to a rollup by JSON-RPC, over HTTP and websockets. A plan limits
what the provider allows."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, cast

import orjson
from aiohttp import ClientError, web

from chaos.faults.http_faults import JSON, abort
from chaos.faults.jsonrpc import calls_of, encode_answers
from chaos.provider.plan import Bucket, Plan
from chaos.provider.rollup import Rollup
from indexer.model import Json
from indexer.node.client import NodeError, NodeUnavailable

TOO_MANY_REQUESTS = 429
LIMIT_EXCEEDED, NO_METHOD, SERVER_ERROR = -32005, -32601, -32000
"""Error codes: EIP-1474's code for an exceeded limit, JSON-RPC's code for a missing method, and
Geth's code for other errors."""
HEAD_SECONDS = 0.05
STATE_METHODS = {"eth_call": 1, "eth_getBalance": 1, "eth_getCode": 1, "eth_getTransactionCount": 1}
"""The methods that read the state at a block, each with the position of this block among its
parameters."""


class Provider:
    """A provider that listens at a loopback address.

    - `posts`: the number of HTTP requests.
    - `refused`: the number of HTTP requests with too many calls, which the provider rejected at
      least in part.
    - `calls`: for each method, the number of answered calls.
    - `dials`: the number of times that a client tried to open a websocket.
    - `dropped`: the number of websockets that the provider closed at the plan's time limit."""

    def __init__(self, rollup: Rollup, plan: Plan | None = None) -> None:
        self.plan = plan or Plan()
        self._rollup, self._chain = rollup, rollup.chain
        self._bucket = Bucket(self.plan.rate) if self.plan.rate else None
        self._is_out = False
        self._sockets: list[web.BaseRequest] = []
        self.posts = self.refused = self.dials = self.dropped = 0
        self.calls: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def websocket_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Provider]:
        runner = web.ServerRunner(
            web.Server(self._handle, access_log=None), handle_signals=False, shutdown_timeout=0.01
        )
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self._port = int(runner.addresses[0][1])
        try:
            yield self
        finally:
            await runner.cleanup()

    @contextlib.contextmanager
    def outage(self) -> Iterator[None]:
        """Simulate an outage in the `with` block: close all websockets and answer no requests."""
        self._is_out = True
        for request in self._sockets:
            abort(request)
        try:
            yield
        finally:
            self._is_out = False

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self._is_out:
            return abort(request)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request)
        body = await request.read()
        await asyncio.sleep(self.plan.latency)
        try:
            return await self._answer(body)
        except ValueError as error:
            return web.Response(status=400, text=str(error))
        except (ClientError, NodeUnavailable, OSError):
            return abort(request)

    async def _answer(self, body: bytes) -> web.Response:
        self.posts += 1
        message = calls_of(body)
        if self.plan.max_batch is not None and len(message.calls) > self.plan.max_batch:
            error = {"code": -32600, "message": self.plan.batch_text.format(limit=self.plan.max_batch)}
            return web.Response(body=orjson.dumps({"jsonrpc": "2.0", "id": None, "error": error}), headers=JSON)
        granted = len(message.calls)
        if self._bucket is not None:
            granted = self._bucket.take(len(message.calls), self.plan.refusal == "http")
        if granted < len(message.calls):
            self.refused += 1
            if self.plan.refusal == "http":
                headers = {} if self.plan.retry_after is None else {"Retry-After": str(self.plan.retry_after)}
                return web.Response(status=TOO_MANY_REQUESTS, text=self.plan.rate_text, headers=headers)
        answers = await asyncio.gather(*(self._result(call) for call in message.calls[:granted]))
        too_many = {"code": self.plan.rate_code, "message": self.plan.rate_text}
        answers += [{"jsonrpc": "2.0", "id": call.get("id"), "error": too_many} for call in message.calls[granted:]]
        return web.Response(body=encode_answers(answers, message.batch), headers=JSON)

    async def _result(self, call: Json) -> Json:
        try:
            result = await self._call(str(call.get("method")), call.get("params") or [])
            return {"jsonrpc": "2.0", "id": call.get("id"), "result": result}
        except NodeError as error:
            problem = {"code": error.code, "message": error.message}
            if error.data is not None:
                problem["data"] = error.data
            return {"jsonrpc": "2.0", "id": call.get("id"), "error": problem}

    async def _call(self, method: str, params: Sequence[Any]) -> Any:
        self.calls[method] += 1
        if method in self.plan.missing or not method.startswith(("eth_", "net_", "web3_")):
            raise NodeError(NO_METHOD, f"the method {method} does not exist/is not available")
        if method == "eth_sendRawTransaction":
            return await self._rollup.send(str(params[0]))
        await self._require_state(method, params)
        if method == "eth_getLogs":
            return await self._logs(params[0])
        result = await self._chain.node.request(method, params)
        if method == "eth_getTransactionReceipt" and result is not None:
            return self._rollup.with_l1_fee(result)
        if method == "eth_getBlockReceipts" and result is not None:
            return [self._rollup.with_l1_fee(one) for one in result]
        return result

    async def _logs(self, query: Json) -> list[Json]:
        limit = self.plan.max_range
        if limit is not None and "blockHash" not in query:
            first, last = [await self._height(query.get(end, "latest")) for end in ("fromBlock", "toBlock")]
            if last - first + 1 > limit:
                raise NodeError(LIMIT_EXCEEDED, self.plan.range_text.format(limit=limit))
        found: list[Json] = await self._chain.request("eth_getLogs", query)
        if self.plan.max_results is not None and len(found) > self.plan.max_results:
            raise NodeError(LIMIT_EXCEEDED, self.plan.results_text.format(limit=self.plan.max_results))
        return found

    async def _require_state(self, method: str, params: Sequence[Any]) -> None:
        """Raise NodeError if the method needs a block's state that is no longer available."""
        at = STATE_METHODS.get(method)
        if self.plan.states is None or at is None or len(params) <= at:
            return
        if await self._chain.height() - await self._height(params[at]) >= self.plan.states:
            raise NodeError(SERVER_ERROR, "missing trie node: state is not available")

    async def _height(self, block: Any) -> int:
        if isinstance(block, dict) and "blockHash" in block:
            found = await self._chain.request("eth_getBlockByHash", block["blockHash"], False)
        elif isinstance(block, dict):
            found = {"number": block["blockNumber"]}
        elif str(block).startswith("0x"):
            found = {"number": block}
        else:
            found = await self._chain.request("eth_getBlockByNumber", block, False)
        return int(found["number"], 16) if found else 0

    async def _socket(self, request: web.BaseRequest) -> web.StreamResponse:
        """Send every new head to a client that has subscribed, for as long as the plan allows."""
        self.dials += 1
        if self.plan.socket_seconds == 0:
            return web.Response(status=404)
        socket = web.WebSocketResponse()
        await socket.prepare(cast(web.Request, request))
        self._sockets.append(request)
        heads = asyncio.create_task(self._heads(socket))
        try:
            async with asyncio.timeout(self.plan.socket_seconds):
                async for _message in socket:
                    await socket.send_str('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
        except TimeoutError:
            self.dropped += 1
        finally:
            heads.cancel()
            self._sockets.remove(request)
            await socket.close()
        return socket

    async def _heads(self, socket: web.WebSocketResponse) -> None:
        known = None
        with contextlib.suppress(ConnectionError):
            while True:
                head = await self._chain.head()
                if known not in (None, head["hash"]):
                    params = {"subscription": "0x1", "result": head}
                    notification = {"jsonrpc": "2.0", "method": "eth_subscription", "params": params}
                    await socket.send_str(orjson.dumps(notification).decode())
                known = head["hash"]
                await asyncio.sleep(HEAD_SECONDS)
