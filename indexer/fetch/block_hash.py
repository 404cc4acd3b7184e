"""Verifies a block's hash and logs.

The header's fields must hash to the block's hash, and the receipts must hash to the header's
receipts root. Whoever trusts the block's hash therefore need not trust the node about the logs."""

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
"""The optional header fields, in the order in which forks added them.
They come from EIP-1559, 4895, 4844 (two fields), 4788 and 7685."""
RECEIPT_TYPES = range(5)
"""The transaction types whose receipts share one format: legacy, EIP-2930, 1559, 4844, 7702.
Receipts of other types can have more fields."""
DECODE_ERRORS = (AttributeError, KeyError, TypeError, ValueError, RLPException)


def hash_matches(header: Json, receipts: Sequence[Any]) -> bool:
    """Return True if the header has the hash that it claims and the receipts match the header's
    receipts root.

    `header` is the result of `eth_getBlockByNumber`. `receipts` are all receipts of the block.
    Return False if a header or receipt does not have Ethereum's format, as on some other chains.
    Raises BadReceipts if the header's hash is right but the receipts' root is not."""
    if not header_hash_matches(header):
        return False
    height = int(header["number"], 16)
    try:
        root = _receipts_root(receipts)
    except DECODE_ERRORS as error:
        raise BadReceipts(f"the receipts of block {height} can't be read: {error!r}") from error
    if root not in (None, header["receiptsRoot"]):
        raise BadReceipts(f"the receipts of block {height} don't match the receipts root of its header")
    return root is not None


def header_hash_matches(header: Json) -> bool:
    """Return True if a header from `eth_getBlockByNumber` has the hash that it claims. Return False
    if the hash is different, or if the header does not have Ethereum's format."""
    try:
        names = [*HEADER_FIELDS, *(name for name in FORK_FIELDS if header.get(name) is not None)]
        fields = [(_number if name in INTEGER_FIELDS else _bytes)(header[name]) for name in names]
        return bool(_hex(keccak(rlp.encode(fields))) == header["hash"])
    except DECODE_ERRORS:
        return False


def _receipts_root(receipts: Sequence[Json]) -> str | None:
    """Return the root of the receipt trie (yellow paper, 4.4.1), or None if a receipt has an
    unknown type."""
    if any(int(one.get("type", "0x0"), 16) not in RECEIPT_TYPES for one in receipts):
        return None
    trie = HexaryTrie({})
    for index, one in enumerate(receipts):
        trie[rlp.encode(index)] = _receipt(one)
    return _hex(trie.root_hash)


def _receipt(receipt: Json) -> bytes:
    """Encode a receipt by EIP-2718. Before Byzantium (EIP-658), receipts have a state root instead
    of a status."""
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
