"""Calls several view functions of contracts at the same block, in one `eth_call`.

The `eth_call` has no address, so the node runs its data as a constructor. The constructor calls the
functions and returns their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from contracts.rpc_errors import BAD_ANSWER
from indexer.node.client import Node, NodeError
from indexer.node.rejections import rejection_of

View: TypeAlias = tuple[str, str]
"""A call to a view function: the contract's address and the call data, both as 0x hex. The call
data consists of a selector and at most one argument of 32 bytes."""
DATA_BYTES, ADDRESS_BYTES, COUNT_BYTES = 36, 20, 8
VIEWS_PER_CALL = 800
"""The maximum number of calls in one `eth_call`. A constructor can have at most 49,152 bytes
(EIP-3860)."""
FAILED = 2 ** (8 * COUNT_BYTES) - 1
REVERT_CODE = 3
"""The JSON-RPC error code with which most nodes report a revert."""
MAX_FAILURES = 3
"""The number of failures in a row after which the node is assumed not to support these calls."""
OPCODES = (
    ("6050 6080", "push 0x50, where the views begin, and 0x80, where the counts go; the stack is [view, count]"),
    ("5b 81 38 11 6012 57", "0x04: while the code's size is above the view's offset, go to 0x12"),
    ("6080 90 03 6080 f3", "return the counts"),
    ("5b 6038 82 6000 39", "0x12: copy the view to 0, 56 bytes: an address and its data"),
    ("6040 6040 6024 6014 6000 51 6060 1c 62030d40 fa", "staticcall, 200,000 gas; up to two words go to 0x40"),
    ("3d 6020 14 3d 6040 14 17 16", "1 if it succeeded and returned one or two words"),
    ("6001 90 03", "subtract 1: 0 on success, all bits set on failure"),
    ("3d 6020 01 51 17", "combine it by bitwise OR with the last word of the result"),
    ("60c0 1b 81 52 6008 01", "its low 8 bytes are the count"),
    ("90 6038 01 90 6004 56", "the next view"),
)
"""The constructor's opcodes, each with a comment. They take 0x50 bytes. All chains since the
Constantinople fork have these opcodes."""
BYTECODE = "".join(opcodes.replace(" ", "") for opcodes, _ in OPCODES)


class Multicall:
    """Calls several view functions in one request. If the node can't run code that is not deployed,
    sends a batch with one `eth_call` per function instead."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._failures = 0

    async def counts(self, views: Sequence[View], block_hash: str) -> list[int | None]:
        """Call these view functions at the end of a block. Return the last word of each result as
        an integer below 2^64, or None if the contract reverts or does not exist. Raises
        NodeUnavailable, or NodeError, for example if the node does not have the block's state."""
        found: list[int | None] = []
        for start in range(0, len(views), VIEWS_PER_CALL):
            found += await self._call_batch(views[start : start + VIEWS_PER_CALL], {"blockHash": block_hash})
        return found

    async def _call_batch(self, views: Sequence[View], at: object) -> list[int | None]:
        if len(views) == 1 or not self._node.limits.deployless:
            return await self._one_by_one(views, at)
        try:
            [answer] = await self._node.requests([("eth_call", ({"data": deployless(views)}, at))])
            found = _counts(str(answer), len(views))
        except NodeError as error:
            found, rejected = await self._one_by_one(views, at), error  # raises if the block's state is gone
            self._failures += 1
            self._node.limits.deployless = self._failures < MAX_FAILURES and rejection_of(rejected) is None
        else:
            self._failures = 0
        return found

    async def _one_by_one(self, views: Sequence[View], at: object) -> list[int | None]:
        calls = [("eth_call", ({"to": address, "data": data}, at)) for address, data in views]
        try:
            answers: list[object] = await self._node.requests(calls)
        except NodeError as error:
            if not _is_revert(error):
                raise
            answers = [await self._call_one(call) for call in calls]
        return [None if answer is None else _last_word(str(answer)) for answer in answers]

    async def _call_one(self, call: tuple[str, tuple[object, object]]) -> object:
        try:
            return await self._node.request(*call)
        except NodeError as error:
            if _is_revert(error):
                return None
            raise


def deployless(views: Sequence[View]) -> str:
    """Return the 0x hex code of a constructor. It calls these view functions and returns their
    results as 8 bytes each."""
    return "0x" + BYTECODE + "".join(address[2:] + data[2:].ljust(2 * DATA_BYTES, "0") for address, data in views)


def _is_revert(error: NodeError) -> bool:
    return error.code == REVERT_CODE or "revert" in error.message


def _counts(answer: str, views: int) -> list[int | None]:
    digits = 2 * COUNT_BYTES
    try:
        data = bytes.fromhex(answer.removeprefix("0x"))
    except ValueError:
        data = b""
    if len(data) != views * COUNT_BYTES:
        raise NodeError(BAD_ANSWER, f"an eth_call without `to` returned unexpected data: {answer[: 2 * digits]}")
    numbers = (int.from_bytes(data[start : start + COUNT_BYTES], "big") for start in range(0, len(data), COUNT_BYTES))
    return [None if number == FAILED else number for number in numbers]


def _last_word(answer: str) -> int | None:
    try:
        return int(answer.removeprefix("0x")[-64:], 16) % (FAILED + 1) if len(answer) > 64 else None
    except ValueError as error:
        raise NodeError(BAD_ANSWER, f"a view returned {answer[:80]}") from error
