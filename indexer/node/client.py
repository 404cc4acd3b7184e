"""A client for one node. It sends JSON-RPC over HTTP, and listens for new heads on a websocket."""

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
from indexer.node.paced_transport import PacedTransport, TooBusy, error_of, gather_or_cancel
from indexer.node.pacer import Pacer
from indexer.node.rejections import NO_METHOD, ProviderRejection, rejection_of
from indexer.node.transport import TooLarge

REQUEST_SECONDS = 20.0
HEADERS_PER_BATCH = 200
OUT_OF_RANGE, TRIES_AT_LATEST = "BlockOutOfRange", 10
"""Anvil rejects a request at `latest` with this error if it keeps no past states and mines a block
meanwhile. The second value is the maximum number of tries."""
UNREACHABLE = (ClientError, OSError, TimeoutError, ValueError, Web3Exception)


class NodeError(RpcError):
    """The node answered with a JSON-RPC error. The error's text can contain anything, so use
    `error_text` before you publish it."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, readable(message), data)


class NodeUnavailable(NoResponse):
    """The node doesn't answer, or its answer isn't JSON-RPC. `busy`: True if the node rejects
    requests because of its rate limit."""

    def __init__(self, url: str, why: str, busy: bool = False) -> None:
        self.url, self.why, self.busy = url, readable(why), busy
        super().__init__(f"the node at {url} is unavailable: {self.why}")


class NodeOnWrongChain(NodeUnavailable):
    """The node answers, but its chain is not the expected chain."""

    def __init__(self, url: str, expected: Chain, found: Chain) -> None:
        super().__init__(url, "it is on the wrong chain")
        self.args = (
            f"the node at {url} is on chain {found.chain_id} (genesis {found.genesis}), but must be on chain "
            f"{expected.chain_id} (genesis {expected.genesis})",
        )


class AnswerTooLarge(NodeUnavailable):
    """The node's answer is larger than this client accepts."""


class Node:
    """A client for one node. `url` is the address of the node's HTTP endpoint.

    - `is_ours`: True if this program runs the node, so that the node's head is always right
    - `seconds`: the timeout of a request. The time before the request is sent doesn't count
    - `limits`: the known limits of the provider
    - `pacer`: limits the rate of requests. The default pacer learns the allowed rate
    """

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
        """Return a second client for the same node. It has its own connections, so that its users
        can't use up this client's connections. Both clients share the limits and the pacer."""
        return Node(self.url, self.is_ours, self._websocket_url, self._seconds, self.limits, self.pacer)

    @property
    def is_listening(self) -> bool:
        """True while the node's websocket announces new heads."""
        return self._heads.is_open

    @property
    def batch_size(self) -> int | None:
        """The maximum number of calls per HTTP request that the provider accepts, or None if
        unknown."""
        return min((size for size in (self.limits.max_batch, self.pacer.max_calls) if size), default=None)

    def failover(self) -> bool:
        """Switch to the next node. Return False if there is no other node."""
        return False

    def expect_chain(self, chain: Chain) -> None:
        """Accept only nodes on this chain from now on. A single node is always accepted."""

    async def aclose(self) -> None:
        """Close the open connections."""
        await self._transport.aclose()

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        """Send one request and return its result. Raises NodeError if the node answers with an
        error, or NodeUnavailable if it does not answer."""
        tries = TRIES_AT_LATEST if "latest" in params else 1
        while True:
            tries -= 1
            [answer] = await self._send([(method, params)])
            try:
                return self._result(answer)
            except NodeError as error:
                if not tries or OUT_OF_RANGE not in error.message:
                    raise

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """Send several requests in as few batches as the provider allows. Return the results in the
        order of the requests. Raises NodeError or NodeUnavailable if a request fails."""
        return [self._result(answer) for answer in await self._send(calls)] if calls else []

    async def _send(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        try:
            return await self._transport.request([(method, list(params)) for method, params in calls])
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
            raise NodeUnavailable(self.url, "the answer is not JSON-RPC")
        error = error_of(answer)
        if error is None:
            return answer["result"]
        raise NodeError(error.code, str(error), error.data)

    async def chain(self) -> Chain:
        """Return the node's chain id and genesis hash."""
        chain_id, genesis = await self.requests([("eth_chainId", ()), ("eth_getBlockByNumber", ("0x0", False))])
        try:
            return Chain(int(chain_id, 16), _header(genesis).block.hash)
        except (TypeError, ValueError) as error:
            raise NodeError(BAD_ANSWER, f"the node does not report which chain it is on: {error}") from error

    async def head_header(self) -> Header:
        """Return the header of the newest block, together with the JSON that the node sent."""
        raw = await self.request("eth_getBlockByNumber", ("latest", False))
        return replace(_header(raw), json=raw)

    async def finalized(self) -> Block | None:
        """Return the newest block that the node reports as final, or None if it reports none."""
        try:
            found = await self.request("eth_getBlockByNumber", ("finalized", False))
        except NodeError:
            return None
        return _header(found).block if found else None

    async def head(self) -> Block:
        """Return the newest block."""
        return (await self.head_header()).block

    async def block(self, height: int) -> Block | None:
        """Return the block at this height, or None if the height is above the head."""
        found = await self.headers(height, height)
        return found[0].block if found else None

    async def headers(self, first: int, last: int) -> list[Header]:
        """Return the headers from `first` to `last`, both included. Skip heights above the head."""
        return await self.headers_at(range(first, last + 1))

    async def headers_at(self, heights: Sequence[int]) -> list[Header]:
        """Return the headers at these heights. Skip heights above the head."""
        return [header for header, _raw in await self.raw_headers_at(heights)]

    async def raw_headers_at(self, heights: Sequence[int]) -> list[tuple[Header, Json]]:
        """Return the header and its JSON at each of these heights. Skip heights above the head."""
        found: list[tuple[Header, Json]] = []
        for start in range(0, len(heights), HEADERS_PER_BATCH):
            some = heights[start : start + HEADERS_PER_BATCH]
            answers = await self.requests([("eth_getBlockByNumber", (hex(height), False)) for height in some])
            found += [(_header(raw, height), raw) for raw, height in zip(answers, some, strict=True) if raw]
        return found

    async def logs_of_block(self, hash: str, addresses: Sequence[str]) -> list[Log]:
        """Return the logs of these contracts in the block with this hash. Raises NodeError if the
        node no longer has the block."""
        return await self._logs({"blockHash": hash, "address": list(addresses)})

    async def logs_between(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
        """Return the logs of these contracts in the blocks from `first` to `last`, both included.

        Send as few requests as the provider's limits allow. If a request is rejected, split its
        blocks into smaller ranges."""
        chunks = self.limits.chunks(first, last)
        found = await gather_or_cancel(self._logs_of_chunk(*chunk, addresses) for chunk in chunks)
        return [log for some in found for log in some]

    async def _logs_of_chunk(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
        blocks = last - first + 1
        try:
            found = await self._logs({"fromBlock": hex(first), "toBlock": hex(last), "address": list(addresses)})
        except (NodeError, AnswerTooLarge) as error:
            rejection = rejection_of(error) if isinstance(error, NodeError) else ProviderRejection("results")
            if rejection is None or rejection.kind not in ("range", "results") or blocks == 1:
                raise
            if self.limits.chunks(first, last) == [(first, last)]:  # no concurrent request has learned the limit
                self.limits.record_rejected_range(rejection, blocks)
            return await self.logs_between(first, last, addresses)
        self.limits.record_accepted_range(blocks)
        return found

    async def _logs(self, query: dict[str, Any]) -> list[Log]:
        logs = await self.request("eth_getLogs", (query,))
        if not isinstance(logs, list):
            raise NodeError(BAD_ANSWER, f"the node returned logs that are not a list: {str(logs)[:200]}")
        return logs

    async def receipts(self, header: Header) -> list[Any]:
        """Return the receipts of a block, without checking them. If the node doesn't support
        `eth_getBlockReceipts`, send a batch with one request per transaction."""
        if self.limits.block_receipts:
            try:
                found: list[Any] = await self.request("eth_getBlockReceipts", (header.block.hash,))
                return found
            except NodeError as error:
                rejection = rejection_of(error)
                if error.code not in NO_METHOD and (rejection is None or rejection.kind != "method"):
                    raise
                self.limits.block_receipts = False
        return await self.requests([("eth_getTransactionReceipt", (hash,)) for hash in header.transactions])

    async def listen(self, notify: Callable[[], None]) -> None:
        """Call `notify` for each new head until cancelled, as `NewHeads.listen` does."""
        await self._heads.listen(notify)


def is_local(url: str) -> bool:
    """Return True if the URL is on this machine. The owner of a local node sets its limits."""
    return urlsplit(url).hostname in ("localhost", "::1") or str(urlsplit(url).hostname).startswith("127.")


def _header(raw: Any, height: int | None = None) -> Header:
    """Convert a block's JSON to a header. Raises NodeError if the JSON can't be read, or if the
    block's height is not `height`."""
    try:
        block = Block(int(raw["number"], 16), raw["hash"], raw["parentHash"], int(raw["timestamp"], 16))
        header = Header(block, int(raw.get("logsBloom") or "0x0", 16), tuple(raw["transactions"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node returned a block that can't be read: {str(raw)[:200]}") from error
    if height not in (None, block.height):
        raise NodeError(BAD_ANSWER, f"the node returned block {block.height} instead of block {height}")
    return header
