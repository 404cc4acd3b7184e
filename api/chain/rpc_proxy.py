"""The JSON-RPC proxy for wallets. It forwards only allowed methods to the node, within limits, and
never logs request bodies."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, TypeAlias

from limits import RateLimitItemPerSecond

from api.chain import body, raw_transaction
from api.chain.allowed_methods import (
    CHECKS,
    LIMIT_EXCEEDED,
    METHOD_NOT_FOUND,
    CallLimits,
    CallRejected,
    Check,
    Params,
    callee,
    gas_of,
)
from api.chain.allowed_tokens import AllowedTokens
from api.chain.fair_queue import FairQueue, QueueFull, Quota
from api.chain.shared_limits import RateLimits
from api.metrics import Metrics
from api.problems import Problem
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.error_text import public_data, public_text
from indexer.store.store import Store

Answer: TypeAlias = dict[str, Any]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
UNAVAILABLE = -32002
RETRY_AFTER = {"retry-after": "1"}

MAX_BATCH = 20
BATCH_GAS = 2**25
CALL_GAS = 2**24
NODE_SECONDS = 30
CHAIN_INFO_SECONDS = 2.0
EXPENSIVE = frozenset({"eth_call", "eth_estimateGas", "eth_getLogs", "eth_feeHistory"})
"""The expensive methods. Their running time counts towards an address's share of the node's
time."""


QUOTA = Quota()


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """The limits for one address: calls per `seconds`, concurrent requests, and signed transactions
    per `transaction_seconds` (on average five per second, in bursts of up to a hundred). `quota`
    limits the address's share of the node."""

    calls: int = 3000
    seconds: int = 10
    in_flight: int = 64
    transactions: int = 100
    transaction_seconds: int = 20
    quota: Quota = QUOTA


@dataclass(frozen=True, slots=True)
class ChainInfo:
    """The chain's ID and the addresses of our contracts (lower-case 0x hex), as read from the
    store."""

    chain_id: int | None
    contracts: frozenset[str]
    read_at: float


class RpcProxy:
    """Forwards JSON-RPC calls to one node. `extra_contracts` are our contracts in addition to the
    games' deployments. `tokens` are allowed even before a match is staked in them. `limits` counts
    calls for the rate limits."""

    def __init__(
        self,
        node: Node | None,
        store: Store,
        metrics: Metrics,
        limits: RateLimits,
        extra_contracts: Callable[[], Iterable[str]] = tuple,
        client_limits: ClientLimits | None = None,
        tokens: Iterable[str] = (),
    ) -> None:
        self._node, self._store, self._metrics = node, store, metrics
        self._extra_contracts = extra_contracts
        self._client_limits = client_limits or ClientLimits()
        self._rate = RateLimitItemPerSecond(self._client_limits.calls, self._client_limits.seconds)
        self._limiter = limits.fixed_window()
        self._raw_rate = RateLimitItemPerSecond(
            self._client_limits.transactions, self._client_limits.transaction_seconds
        )
        self._raw_limiter = limits.moving_window()
        self._queue = FairQueue(self._client_limits.quota)
        self._in_flight: Counter[str] = Counter()
        self._last_info = ChainInfo(None, frozenset(), 0)
        self._tokens = AllowedTokens(store, tokens)

    async def answer(self, content: bytes, address: str) -> Answer | list[Answer] | None:
        """Return the answer to a request or a batch, or None if it has only notifications.

        Raises Problem 400 if the content is not JSON, and 429 if the address exceeds a limit."""
        payload = _parsed(content)
        await self._check_rate(address, len(payload) if isinstance(payload, list) else 1)
        self._in_flight[address] += 1
        try:
            return await (
                self._answer_batch(payload, address)
                if isinstance(payload, list)
                else self._answer_one(payload, CALL_GAS, address)
            )
        finally:
            self._in_flight -= Counter((address,))  # a Counter's `-=` deletes keys that reach zero

    async def _check_rate(self, address: str, calls: int) -> None:
        limits = self._client_limits
        if self._in_flight[address] >= limits.in_flight:
            raise _with_rpc_error(
                Problem(429, "too-much.at-once", {"n": limits.in_flight}, RETRY_AFTER), LIMIT_EXCEEDED
            )
        if not await self._limiter.hit(self._rate, address, cost=min(calls, MAX_BATCH)):
            arguments = {"n": limits.calls, "seconds": limits.seconds}
            raise _with_rpc_error(Problem(429, "too-much.calls", arguments, RETRY_AFTER), LIMIT_EXCEEDED)

    async def _answer_batch(self, requests: list[Any], address: str) -> Answer | list[Answer] | None:
        if not requests:
            return _error(None, INVALID_REQUEST, "A batch needs at least one request.")
        if len(requests) > MAX_BATCH:
            return _error(None, LIMIT_EXCEEDED, f"A batch may have at most {MAX_BATCH} requests, not {len(requests)}.")
        named = [gas_of(one.get("method", ""), one.get("params")) for one in requests if isinstance(one, dict)]
        remaining = BATCH_GAS - sum(gas or 0 for gas in named)
        if remaining < 0:
            return _error(None, LIMIT_EXCEEDED, f"The calls in a batch may use at most {BATCH_GAS} gas in total.")
        share = min(CALL_GAS, remaining // max(1, named.count(None)))
        # Handle the requests of a batch one after another, so that an account's transactions arrive
        # in order.
        answers = [await self._answer_one(one, share, address) for one in requests]
        return [answer for answer in answers if answer is not None] or None

    async def _answer_one(self, request: Any, gas: int, address: str) -> Answer | None:
        """Handle one request. A request without an id is executed but not answered (JSON-RPC 2.0,
        4.1)."""
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return _error(None, INVALID_REQUEST, "A request must be an object with jsonrpc, id, method and params.")
        request_id = request.get("id")
        if not isinstance(request_id, str | int | float | None) or isinstance(request_id, bool):
            return _error(None, INVALID_REQUEST, "An id must be a string or a number.")
        outcome, answer = await self._outcome(request_id, request["method"], request.get("params", []), gas, address)
        known = request["method"] if request["method"] in CHECKS else "other"
        self._metrics.rpc.labels(known, outcome).inc()
        return answer if "id" in request else None

    async def _outcome(self, request_id: Any, method: str, params: Any, gas: int, address: str) -> tuple[str, Answer]:
        try:
            result = await self._dispatch(method, params, gas, address)
        except CallRejected as rejection:
            return "refused", _error(request_id, rejection.code, rejection.message)
        except QueueFull as full:
            return "refused", _error(request_id, LIMIT_EXCEEDED, str(full))
        except NodeError as error:
            return "error", _error(request_id, error.code, public_text(str(error)), public_data(error.data))
        except NodeUnavailable:  # the error names the node's URL, which clients must not see
            return "lost", _error(
                request_id, UNAVAILABLE, "The chain's node does not answer at the moment. Try again later."
            )
        except TimeoutError:
            return "lost", _error(
                request_id, UNAVAILABLE, f"The chain's node did not answer within {NODE_SECONDS} seconds."
            )
        return "ok", {"jsonrpc": "2.0", "id": request_id, "result": result}

    async def _dispatch(self, method: str, params: Any, gas: int, address: str) -> Any:
        check = CHECKS.get(method)
        if check is None:
            raise CallRejected(METHOD_NOT_FOUND, f"The method {method[:60]!r} does not exist or is not available here.")
        if not isinstance(params, list):
            raise CallRejected(INVALID_REQUEST, "The parameters must be a list.")
        if self._node is None:
            raise CallRejected(UNAVAILABLE, "This server has no connection to a node.")
        if method == "eth_sendRawTransaction":
            return await self._check_and_forward(
                self._node, check(method, params, CallLimits(frozenset(), 0, gas))[0], address
            )
        known, tokens = await self._allowed_callees(callee(method, params))
        limits = CallLimits(known.contracts, 0, gas, tokens)
        forward = partial(self._forward_call, self._node, check, method, params, limits)
        return await self._queue.run(address, forward, method in EXPENSIVE)

    async def _check_transaction_rate(self, address: str) -> None:
        if not await self._raw_limiter.hit(self._raw_rate, address):
            limits = self._client_limits
            detail = (
                f"Your address has sent too many transactions (limit: {limits.transactions} in "
                f"{limits.transaction_seconds} seconds). Try again in a moment."
            )
            raise CallRejected(LIMIT_EXCEEDED, detail)

    async def _forward_call(self, node: Node, check: Check, method: str, params: Params, limits: CallLimits) -> Any:
        async with asyncio.timeout(NODE_SECONDS):
            if method == "eth_getLogs":
                limits = replace(limits, head=int(await node.request("eth_blockNumber"), 16))
            return await node.request(method, check(method, params, limits))

    async def _check_and_forward(self, node: Node, raw: str, address: str) -> Any:
        await self._check_transaction_rate(address)
        known, tokens = await self._allowed_callees(raw_transaction.callee(raw))
        chain_id = known.chain_id or int(await node.request("eth_chainId"), 16)
        sender, nonce = await asyncio.to_thread(raw_transaction.admit, raw, chain_id, known.contracts | tokens)
        return await self._queue.run(address, partial(self._forward_transaction, node, raw, sender, nonce))

    async def _forward_transaction(self, node: Node, raw: str, sender: str, nonce: int) -> Any:
        async with asyncio.timeout(NODE_SECONDS):
            raw_transaction.admit_nonce(
                nonce, int(await node.request("eth_getTransactionCount", (sender, "pending")), 16)
            )
            return await node.request("eth_sendRawTransaction", [raw])

    async def _allowed_callees(self, address: str | None) -> tuple[ChainInfo, frozenset[str]]:
        """Return the chain's ID with our contracts, and a set that contains this address if it is
        an allowed token. If the address is neither a contract of ours nor a token, read the store
        again, because our contracts have new addresses after a restart of the chain."""
        known = await self._chain_info(CHAIN_INFO_SECONDS)
        tokens = await self._tokens.allowed(address, known.contracts)
        if address is not None and address not in known.contracts | tokens:
            known = await self._chain_info(0)
        return known, tokens

    async def _chain_info(self, max_age: float) -> ChainInfo:
        if monotonic() - self._last_info.read_at > max_age:
            self._last_info = await asyncio.to_thread(self._read_chain_info)
        return self._last_info

    def _read_chain_info(self) -> ChainInfo:
        read_at = monotonic()
        with self._store.read() as snapshot:
            chain = snapshot.chain()
            ours = frozenset(one.address.lower() for one in snapshot.deployments())
        return ChainInfo(
            chain.chain_id if chain else None,
            ours | {address.lower() for address in self._extra_contracts()},
            read_at,
        )


def _parsed(content: bytes) -> Any:
    try:
        return body.parse(content)
    except Problem as problem:
        raise _with_rpc_error(problem, PARSE_ERROR) from None


def _with_rpc_error(problem: Problem, code: int) -> Problem:
    """Add the members of a JSON-RPC error to a problem, so that JSON-RPC clients can read it."""
    problem.values.update(_error(None, code, problem.detail))
    return problem


def _error(request_id: Any, code: int, message: str, data: Any = None) -> Answer:
    found = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": request_id, "error": found}
