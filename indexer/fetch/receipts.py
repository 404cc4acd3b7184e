"""Extracts a block's logs from its receipts. Unlike the answer to `eth_getLogs`, the receipts
reveal whether a log is missing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from indexer.fetch.bloom import bloom_of
from indexer.model import Header, Log


class BadReceipts(Exception):
    """The receipts are incomplete, can't be read, or don't belong to the block."""


def logs_of(header: Header, receipts: Any, addresses: Collection[str]) -> list[Log]:
    """Return the logs of the contracts with these lower-case addresses.

    Raises BadReceipts in these cases:
    - The receipts can't be read, or a receipt is missing.
    - A receipt belongs to a different block.
    - The logs' numbers have a gap.
    - The logs don't match the header's Bloom filter. An empty filter is not compared, because some
      chains have no Bloom filters.
    """
    try:
        return _logs_of(header, receipts, addresses)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadReceipts(f"the receipts of block {header.block.height} can't be read: {error!r}") from error


def _logs_of(header: Header, receipts: Any, addresses: Collection[str]) -> list[Log]:
    block = header.block
    if not isinstance(receipts, list) or [one["transactionHash"] for one in receipts] != list(header.transactions):
        raise BadReceipts(f"the node did not return all receipts of block {block.height}")
    logs: list[Log] = [log for one in receipts for log in one["logs"]]
    if any(log["blockHash"] != block.hash for log in logs):
        raise BadReceipts(f"the node returned receipts that are not from block {block.height} ({block.hash})")
    if [int(log["logIndex"], 16) for log in logs] != list(range(len(logs))):
        raise BadReceipts(f"a log is missing from the receipts of block {block.height}")
    if header.bloom and bloom_of(logs) != header.bloom:
        raise BadReceipts(f"the receipts of block {block.height} don't match the block's bloom filter")
    return [log for log in logs if log["address"].lower() in addresses]
