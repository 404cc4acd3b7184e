"""Verifies the hash of a block, and the receipts that contain the block's logs.

The hash of the header's fields must be the block's hash. The hash of the receipts must be the
receipts root in the header. A caller who trusts the block's hash can therefore trust the logs
too."""

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
"""The optional header fields, in the order in which hard forks added them. EIP-1559, 4895, 4844
(two fields), 4788 and 7685 define them."""
RECEIPT_TYPES = range(5)
"""The transaction types whose receipts have the same format: legacy, EIP-2930, 1559, 4844 and 7702.
Receipts of other types can have more fields."""
DECODE_ERRORS = (AttributeError, KeyError, TypeError, ValueError, RLPException)


def hash_matches(header: Json, receipts: Sequence[Any]) -> bool:
    """Return True if both the header's hash and its receipts root are right.

    `header` is the result of `eth_getBlockByNumber`. `receipts` are all receipts of the block.
    Return False if the header's hash is wrong, or if the header or a receipt does not have
    Ethereum's format, as on some other chains. Raises BadReceipts if the header's hash is right but
    the receipts root is not."""
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
    """Return True if the hash in a header is the hash of its fields. Return False if it isn't, or
    if the header does not have Ethereum's format. `header` is the result of
    `eth_getBlockByNumber`."""
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
    """Encode a receipt as EIP-2718 describes. Receipts from before the Byzantium fork (EIP-658)
    have a state root instead of a status."""
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
