"""A block's logs from its receipts: unlike the node's log index, they can be checked to be complete."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from indexer.fetch.bloom import bloom_of
from indexer.model import Header, Log


class BadReceipts(Exception):
    """The receipts are not those of the block, or not all of them."""


def logs_of(header: Header, receipts: Any, addresses: Collection[str]) -> list[Log]:
    """The logs of these contracts (lower-case addresses). Raises BadReceipts unless each transaction of the block has
    its receipt, no log is left out between two, and the header's bloom is that of all their logs (a chain without
    blooms leaves it empty)."""
    try:
        return _logs_of(header, receipts, addresses)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadReceipts(f"the receipts of block {header.block.height} can't be read: {error!r}") from error


def _logs_of(header: Header, receipts: Any, addresses: Collection[str]) -> list[Log]:
    block = header.block
    if not isinstance(receipts, list) or [one["transactionHash"] for one in receipts] != list(header.transactions):
        raise BadReceipts(f"the node did not give all receipts of block {block.height}")
    logs: list[Log] = [log for one in receipts for log in one["logs"]]
    if any(log["blockHash"] != block.hash for log in logs):
        raise BadReceipts(f"the node gave receipts of another block than {block.height} {block.hash}")
    if [int(log["logIndex"], 16) for log in logs] != list(range(len(logs))):
        raise BadReceipts(f"the receipts of block {block.height} leave out a log")
    if header.bloom and bloom_of(logs) != header.bloom:
        raise BadReceipts(f"the receipts of block {block.height} don't make its bloom")
    return [log for log in logs if log["address"].lower() in addresses]
