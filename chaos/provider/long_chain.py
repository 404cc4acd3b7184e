"""A long chain: the chain of a real Anvil node with any number of simulated empty blocks on top.

Anvil itself would need minutes to mine ten thousand blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rlp
from eth_utils.crypto import keccak

from indexer.fetch.block_hash import FORK_FIELDS, HEADER_FIELDS, INTEGER_FIELDS
from indexer.model import Json
from indexer.node.client import Node

FINAL_BLOCKS = 64
"""The number of blocks from the `finalized` block to the head."""
EMPTY_ROOT = "0x" + keccak(rlp.encode(b"")).hex()
TAGS = {"latest": 0, "pending": 0, "safe": FINAL_BLOCKS // 2, "finalized": FINAL_BLOCKS}
NUMBER, TIME = HEADER_FIELDS.index("number"), HEADER_FIELDS.index("timestamp")


class LongNode(Node):
    """The real node, whose chain is extended by simulated empty blocks.

    Like real blocks, these blocks have hashes and parents. Their state is that of the real head."""

    def __init__(self, url: str, head: Json, blocks: int) -> None:
        super().__init__(url)
        self._real = int(head["number"], 16)
        self._empty = {
            **head,
            **dict.fromkeys(("transactionsRoot", "receiptsRoot"), EMPTY_ROOT),
            **{"logsBloom": "0x" + 512 * "0", "gasUsed": "0x0", "transactions": []},
        }
        self._hashes = [bytes.fromhex(head["hash"][2:])]
        names = [*HEADER_FIELDS, *(name for name in FORK_FIELDS if head.get(name) is not None)]
        items = [rlp.encode(_field(name, self._empty[name])) for name in names]
        before, between, behind = (
            b"".join(part) for part in (items[1:NUMBER], items[NUMBER + 1 : TIME], items[TIME + 1 :])
        )
        for number in range(self._real + 1, self._real + blocks + 1):
            parts = (rlp.encode(self._hashes[-1]), before, rlp.encode(number), between, rlp.encode(self._time(number)))
            payload = b"".join((*parts, behind))
            self._hashes.append(keccak(b"\xf9" + len(payload).to_bytes(2, "big") + payload))
        self._heights = {hash: self._real + at for at, hash in enumerate(self._hashes)}

    @property
    def height(self) -> int:
        return self._real + len(self._hashes) - 1

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if method == "eth_blockNumber":
            return hex(self.height)
        if method == "eth_getBlockByNumber":
            return await self._block(self._number(params[0]))
        if method == "eth_getLogs":
            return await self._logs(params[0])
        if method == "eth_getBlockReceipts" and self._is_empty(params[0]):
            return []
        if method == "eth_call" and self._is_empty(params[1]):
            return await super().request(method, (params[0], "latest"))
        return await super().request(method, params)

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        return [await self.request(*call) for call in calls]

    async def _block(self, number: int) -> Json | None:
        if number <= self._real:
            found: Json | None = await super().request("eth_getBlockByNumber", (hex(number), False))
            return found
        if number > self.height:
            return None
        parent, hash = ("0x" + one.hex() for one in self._hashes[number - self._real - 1 : number - self._real + 1])
        time = hex(self._time(number))
        return {**self._empty, "number": hex(number), "hash": hash, "parentHash": parent, "timestamp": time}

    async def _logs(self, query: Json) -> Any:
        if "blockHash" in query:
            return [] if self._is_empty(query) else await super().request("eth_getLogs", (query,))
        first, last = (min(self._number(query[end]), self.height) for end in ("fromBlock", "toBlock"))
        if first > self._real:
            return []
        real = {**query, "fromBlock": hex(first), "toBlock": hex(min(last, self._real))}
        return await super().request("eth_getLogs", (real,))

    def _time(self, number: int) -> int:
        return int(self._empty["timestamp"], 16) + 2 * (number - self._real)

    def _number(self, at: str) -> int:
        return self.height - TAGS[at] if at in TAGS else int(at, 16)

    def _is_empty(self, at: Any) -> bool:
        """Return True if this block (a hash or a height) is one of the simulated empty blocks."""
        at = at.get("blockHash", "latest") if isinstance(at, dict) else at
        if isinstance(at, str) and len(at) == 66:
            return self._heights.get(bytes.fromhex(at[2:]), 0) > self._real
        return self._number(at) > self._real


def _field(name: str, value: str) -> Any:
    return int(value, 16) if name in INTEGER_FIELDS else bytes.fromhex(value[2:])
