"""Byzantine nodes, whose answers are well-formed but wrong. Either logs are missing, or the answers
come from a lagging replica."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

from chaos.faults.jsonrpc import Calls
from indexer.model import Json

NodeRequest: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A function that sends the proxy's own request to the node. It takes a method and parameters, and
returns the result."""

OMITTED_LOGS = ("block", "last", "hidden")
"""The logs that a node can leave out: all logs of a block, the block's last log, or a hidden log. A
log is hidden if its address and topics also occur in other logs of the block. The bloom in the
block's header therefore doesn't reveal that the hidden log is missing."""
TAGS = ("latest", "pending", "safe", "finalized")
UNKNOWN_BLOCK = {"code": -32000, "message": "unknown block"}


class WrongAnswer(Protocol):
    """A kind of wrong answer. While it is active, it alters the node's answers in place."""

    @property
    def kind(self) -> str: ...

    @property
    def is_over(self) -> bool: ...

    async def alter(self, calls: Calls, answers: list[Json], request: NodeRequest) -> bool:
        """Alter the node's answers to the calls. Return True if at least one answer differs."""


class MissingLogs:
    """A node that always leaves out the same logs of some blocks. The logs are missing either only
    from answers about ranges of blocks, or from all answers. Receipts stay complete."""

    is_over = False

    def __init__(self, kind: str, omitted: str, blocks: int, random: Random) -> None:
        self.kind, self._omitted, self._blocks, self._random = kind, omitted, blocks, random
        self._missing: dict[str, set[str]] = {}

    async def alter(self, calls: Calls, answers: list[Json], request: NodeRequest) -> bool:  # noqa: ARG002
        altered = False
        for answer in answers:
            call = calls.call_of(answer)
            if call.get("method") == "eth_getLogs" and self._is_affected(call["params"][0]) and answer.get("result"):
                remaining = self._remaining(answer["result"])
                altered |= len(remaining) < len(answer["result"])
                answer["result"] = remaining
        return altered

    def _is_affected(self, query: Json) -> bool:
        return self.kind == "short-logs-always" or "blockHash" not in query

    def _remaining(self, logs: list[Json]) -> list[Json]:
        by_block: dict[str, list[Json]] = {}
        for log in logs:
            by_block.setdefault(log["blockHash"], []).append(log)
        for block, inside in by_block.items():
            wanted = block not in self._missing and len(self._missing) < self._blocks
            if wanted and (missing := self._choose(inside)):
                self._missing[block] = missing
        return [log for log in logs if log["logIndex"] not in self._missing.get(log["blockHash"], ())]

    def _choose(self, logs: list[Json]) -> set[str]:
        if self._omitted == "block":
            return {log["logIndex"] for log in logs}
        if self._omitted == "last":
            return {max((log["logIndex"] for log in logs), key=lambda index: int(index, 16))}
        hidden = [log["logIndex"] for log in logs if _is_hidden(log, [one for one in logs if one is not log])]
        return {hidden[-1] if self._random.random() < 0.7 else self._random.choice(hidden)} if hidden else set()


def _is_hidden(log: Json, others: list[Json]) -> bool:
    """Return True if the block's bloom filter can't reveal that this log is missing."""
    items = {item for other in others for item in (other["address"].lower(), *other["topics"])}
    return {log["address"].lower(), *log["topics"]} <= items


class StaleReplica:
    """A replica that lags behind the other nodes at the same address. It answers some of the
    requests. In its answers, its older head is the newest block."""

    kind = "stale-replica"

    def __init__(self, height: int, seconds: float, share: float, random: Random) -> None:
        self._height, self._share, self._random = height, share, random
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self._end

    async def alter(self, calls: Calls, answers: list[Json], request: NodeRequest) -> bool:
        if self._random.random() > self._share:
            return False
        altered = False
        for answer in answers:
            call = calls.call_of(answer)
            stale = {**await self._stale_answer(str(call.get("method")), call.get("params", []), answer, request)}
            altered |= stale != answer
            answer.clear()
            answer.update(stale)
        return altered

    async def _stale_answer(self, method: str, params: Any, answer: Json, request: NodeRequest) -> Json:
        result = answer.get("result")
        if result is None:
            return answer
        if method == "eth_blockNumber" and int(result, 16) > self._height:
            return {**answer, "result": hex(self._height)}
        if method == "eth_getLogs":
            return await self._logs(params[0], answer, request)
        if method == "eth_getBlockReceipts":
            beyond = any(self._is_beyond(one["blockNumber"]) for one in result)
            return {**answer, "result": None} if beyond else answer
        if method in ("eth_call", "eth_getCode"):
            return await self._state(method, params, answer, request)
        if method in ("eth_getBlockByNumber", "eth_getBlockByHash", "eth_getTransactionReceipt"):
            return await self._single(params, answer, request)
        return answer

    async def _single(self, params: Any, answer: Json, request: NodeRequest) -> Json:
        result = answer["result"]
        if not self._is_beyond(result.get("number") or result.get("blockNumber")):
            return answer
        if params[0] in TAGS:
            return {**answer, "result": await request("eth_getBlockByNumber", (hex(self._height), *params[1:]))}
        return {**answer, "result": None}

    async def _logs(self, query: Json, answer: Json, request: NodeRequest) -> Json:
        if "blockHash" in query:
            return await self._by_hash(query["blockHash"], answer, request)
        return {**answer, "result": [log for log in answer["result"] if not self._is_beyond(log["blockNumber"])]}

    async def _state(self, method: str, params: Any, answer: Json, request: NodeRequest) -> Json:
        at = params[1] if len(params) > 1 else "latest"
        if isinstance(at, dict):
            return await self._by_hash(at["blockHash"], answer, request)
        if at not in TAGS:
            return _unknown_block(answer) if at.startswith("0x") and self._is_beyond(at) else answer
        if self._is_beyond(await request("eth_blockNumber", ())):
            return {**answer, "result": await request(method, (params[0], hex(self._height)))}
        return answer

    async def _by_hash(self, hash: str, answer: Json, request: NodeRequest) -> Json:
        block = await request("eth_getBlockByHash", (hash, False))
        return _unknown_block(answer) if block is not None and self._is_beyond(block["number"]) else answer

    def _is_beyond(self, height: Any) -> bool:
        return height is not None and int(height, 16) > self._height


def _unknown_block(answer: Json) -> Json:
    return {"jsonrpc": "2.0", "id": answer.get("id"), "error": UNKNOWN_BLOCK}
