"""The node's client: JSON-RPC over HTTP, and new heads over a websocket. The only code that speaks to a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError
from web3.exceptions import Web3Exception

from contracts.rpc_errors import BAD_ANSWER, NoResponse, RpcError
from indexer.model import Block, Chain, Header, Json, Log
from indexer.node.error_text import readable
from indexer.node.limits import Limits
from indexer.node.new_heads import NewHeads
from indexer.node.paced_transport import PacedTransport, TooBusy, all_of, error_of
from indexer.node.pacer import Pacer
from indexer.node.refusals import NO_METHOD, ProviderRefusal, refusal_of
from indexer.node.transport import TooLarge

REQUEST_SECONDS = 20.0
HEADERS_PER_BATCH = 200
OUT_OF_RANGE, TRIES_AT_LATEST = "BlockOutOfRange", 10
"""An Anvil that keeps no past states refuses a request at `latest` if a block comes meanwhile."""
UNREACHABLE = (ClientError, OSError, TimeoutError, ValueError, Web3Exception)


class NodeError(RpcError):
    """The node answered with a JSON-RPC error object. Its text may be anything: `error_text` makes it public."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, readable(message), data)


class NodeUnavailable(NoResponse):
    """The node does not answer, or not in JSON-RPC. `busy`: it asks for fewer requests."""

    def __init__(self, url: str, why: str, busy: bool = False) -> None:
        self.url, self.why, self.busy = url, readable(why), busy
        super().__init__(f"no node answers at {url}: {self.why}")


class AnswerTooLarge(NodeUnavailable):
    """The node's answer has more bytes than are read."""


class Node:
    """One node, by the URL of its HTTP endpoint. `is_ours`: we started it, so its head is authoritative. A request may
    take `seconds`, besides waiting for its turn. `limits`: what is known of the provider; `pacer`: its pace, else one
    that is learned."""

    def __init__(
        self,
        url: str,
        is_ours: bool = False,
        websocket_url: str | None = None,
        seconds: float = REQUEST_SECONDS,
        limits: Limits | None = None,
        pacer: Pacer | None = None,
    ) -> None:
        self.url, self.is_ours = url, is_ours
        self.limits = limits or Limits()
        self.pacer = pacer or Pacer(self.limits)
        self._websocket_url = websocket_url or "ws" + url.removeprefix("http")
        self._heads = NewHeads(self._websocket_url)
        self._seconds = seconds
        self._transport = PacedTransport(url, seconds, self.limits, self.pacer)

    def with_own_connections(self) -> Node:
        """The same node with a connection pool of its own: its users can't exhaust the others' connections. They share
        its limits and its pace."""
        return Node(self.url, self.is_ours, self._websocket_url, self._seconds, self.limits, self.pacer)

    @property
    def is_listening(self) -> bool:
        """True while its websocket announces new heads."""
        return self._heads.is_open

    @property
    def batch_size(self) -> int | None:
        """Calls that the provider takes in one HTTP request, as far as that is known."""
        return min((size for size in (self.limits.max_batch, self.pacer.max_calls) if size), default=None)

    def failover(self) -> bool:
        """Switches to the next node, where there are several; True when there is another."""
        return False

    def expect_chain(self, chain: Chain) -> None:
        """Accepts from now on only nodes of this chain, where there are several."""

    async def aclose(self) -> None:
        """Closes the connections that requests left open."""
        await self._transport.aclose()

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        """One request. Raises NodeError for an error answer, NodeUnavailable where there is none."""
        tries = TRIES_AT_LATEST if "latest" in params else 1
        while True:
            tries -= 1
            [answer] = await self._ask([(method, params)])
            try:
                return self._result(answer)
            except NodeError as error:
                if not tries or OUT_OF_RANGE not in error.message:
                    raise

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """Several requests in as few batches as the provider takes, answered in the same order. Raises as `request`,
        for any of them."""
        return [self._result(answer) for answer in await self._ask(calls)] if calls else []

    async def _ask(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        try:
            return await self._transport.ask([(method, list(params)) for method, params in calls])
        except TooBusy as error:
            raise NodeUnavailable(self.url, "it asks for fewer requests", busy=True) from error
        except TimeoutError as error:
            raise NodeUnavailable(self.url, f"no answer came within {self._seconds:g} seconds") from error
        except TooLarge as error:
            raise AnswerTooLarge(self.url, str(error)) from error
        except UNREACHABLE as error:
            raise NodeUnavailable(self.url, str(error) or type(error).__name__) from error

    def _result(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or ("result" not in answer and "error" not in answer):
            raise NodeUnavailable(self.url, "the answer is no JSON-RPC")
        error = error_of(answer)
        if error is None:
            return answer["result"]
        raise NodeError(error.code, str(error), error.data)

    async def chain(self) -> Chain:
        """The node's chain id and genesis hash."""
        chain_id, genesis = await self.requests([("eth_chainId", ()), ("eth_getBlockByNumber", ("0x0", False))])
        try:
            return Chain(int(chain_id, 16), _header(genesis).block.hash)
        except (TypeError, ValueError) as error:
            raise NodeError(BAD_ANSWER, f"the node does not say which chain it is on: {error}") from error

    async def head_header(self) -> Header:
        """The header of the newest block, with its JSON."""
        raw = await self.request("eth_getBlockByNumber", ("latest", False))
        return replace(_header(raw), json=raw)

    async def finalized(self) -> Block | None:
        """The newest block that the chain calls final; None where the node does not know any."""
        try:
            found = await self.request("eth_getBlockByNumber", ("finalized", False))
        except NodeError:
            return None
        return _header(found).block if found else None

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
        """The logs of a range of blocks, both ends included: in as few requests as the provider's limits allow. A part
        that it refuses is requested again in smaller ones, and no other."""
        chunks = self.limits.chunks(first, last)
        found = await all_of(self._logs_of_chunk(*chunk, addresses) for chunk in chunks)
        return [log for some in found for log in some]

    async def _logs_of_chunk(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
        blocks = last - first + 1
        try:
            found = await self._logs({"fromBlock": hex(first), "toBlock": hex(last), "address": list(addresses)})
        except (NodeError, AnswerTooLarge) as error:
            refusal = refusal_of(error) if isinstance(error, NodeError) else ProviderRefusal("results")
            if refusal is None or refusal.kind not in ("range", "results") or blocks == 1:
                raise
            if self.limits.chunks(first, last) == [(first, last)]:  # else it was learned meanwhile
                self.limits.refuse_range(refusal, blocks)
            return await self.logs_between(first, last, addresses)
        self.limits.grant_range(blocks)
        return found

    async def _logs(self, query: dict[str, Any]) -> list[Log]:
        logs = await self.request("eth_getLogs", (query,))
        if not isinstance(logs, list):
            raise NodeError(BAD_ANSWER, f"the node gave logs that are no list: {str(logs)[:200]}")
        return logs

    async def receipts(self, header: Header) -> list[Any]:
        """The receipts of a block, whole or one by one where the node can't give them whole. Unchecked."""
        if self.limits.block_receipts:
            try:
                found: list[Any] = await self.request("eth_getBlockReceipts", (header.block.hash,))
                return found
            except NodeError as error:
                refusal = refusal_of(error)
                if error.code not in NO_METHOD and (refusal is None or refusal.kind != "method"):
                    raise
                self.limits.block_receipts = False
        return await self.requests([("eth_getTransactionReceipt", (hash,)) for hash in header.transactions])

    async def listen(self, notify: Callable[[], None]) -> None:
        """Notifies at each new head, until cancelled; see `NewHeads`."""
        await self._heads.listen(notify)


def is_local(url: str) -> bool:
    """True for a node on this machine, whose owner sets its limits."""
    return urlsplit(url).hostname in ("localhost", "::1") or str(urlsplit(url).hostname).startswith("127.")


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
