"""Verifies a block's hash: its header's fields must hash to it, its receipts to the header's receipts root. Whoever
trusts the hash then need not trust the node about the logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rlp
from eth_utils.crypto import keccak
from rlp.exceptions import RLPException
from rlp.sedes import big_endian_int
from trie.hexary import HexaryTrie

from indexer.fetch.receipts import BadReceipts
from indexer.model import Json

INTEGER_FIELDS = {
    "difficulty",
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "baseFeePerGas",
    "blobGasUsed",
    "excessBlobGas",
}
HEADER_FIELDS = (
    *("parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom", "difficulty"),
    *("number", "gasLimit", "gasUsed", "timestamp", "extraData", "mixHash", "nonce"),
)
"""The header's fields in the order in which they are hashed (yellow paper, 4.4)."""
FORK_FIELDS = (
    *("baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas"),
    *("parentBeaconBlockRoot", "requestsHash"),
)
"""Optional header fields in the order in which forks added them: EIP-1559, 4895, 4844 (two), 4788, 7685."""
RECEIPT_TYPES = range(5)
"""Transaction types whose receipts have one form: legacy, EIP-2930, 1559, 4844, 7702. Others may have more fields."""
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, RLPException)


def hash_matches(header: Json, receipts: Sequence[Any]) -> bool:
    """True when the header (as `eth_getBlockByNumber` gives it) has the hash that it claims, and all the block's
    receipts its receipts root. False where a header or receipt has not Ethereum's form, as on some other chains. Raises
    BadReceipts when the header has its hash and the receipts another root."""
    if not header_hash_matches(header):
        return False
    height = int(header["number"], 16)
    try:
        root = _receipts_root(receipts)
    except UNREADABLE as error:
        raise BadReceipts(f"the receipts of block {height} can't be read: {error!r}") from error
    if root not in (None, header["receiptsRoot"]):
        raise BadReceipts(f"the receipts of block {height} don't make the receipts root of its header")
    return root is not None


def header_hash_matches(header: Json) -> bool:
    """True when the header (as `eth_getBlockByNumber` gives it) has the hash that it claims. False where it has not
    Ethereum's form, too."""
    try:
        names = [*HEADER_FIELDS, *(name for name in FORK_FIELDS if header.get(name) is not None)]
        fields = [(_number if name in INTEGER_FIELDS else _bytes)(header[name]) for name in names]
        return bool(_hex(keccak(rlp.encode(fields))) == header["hash"])
    except UNREADABLE:
        return False


def _receipts_root(receipts: Sequence[Json]) -> str | None:
    """The root of the trie of receipts (yellow paper, 4.4.1); None where one is of an unknown type."""
    if any(int(one.get("type", "0x0"), 16) not in RECEIPT_TYPES for one in receipts):
        return None
    trie = HexaryTrie({})
    for index, one in enumerate(receipts):
        trie[rlp.encode(index)] = _receipt(one)
    return _hex(trie.root_hash)


def _receipt(receipt: Json) -> bytes:
    """A receipt encoded by EIP-2718; before Byzantium (EIP-658) with a state root instead of the status."""
    status = _number(receipt["status"]) if receipt.get("status") is not None else _bytes(receipt["root"])
    logs = [[_bytes(log["address"]), list(map(_bytes, log["topics"])), _bytes(log["data"])] for log in receipt["logs"]]
    body = [status, _number(receipt["cumulativeGasUsed"]), _bytes(receipt["logsBloom"]), logs]
    kind = int(receipt.get("type", "0x0"), 16)
    return (bytes([kind]) if kind else b"") + bytes(rlp.encode(body))


def _number(value: str) -> bytes:
    return bytes(big_endian_int.serialize(int(value, 16)))


def _bytes(value: str) -> bytes:
    return bytes.fromhex(value.removeprefix("0x"))


def _hex(value: bytes) -> str:
    return "0x" + value.hex()
