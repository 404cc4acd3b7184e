"""Extracts a block's logs from its receipts. Unlike the log index, the receipts reveal a missing
log."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from indexer.fetch.bloom import bloom_of
from indexer.model import Header, Log


class BadReceipts(Exception):
    """The receipts belong to a different block, or some receipts are missing."""


def logs_of(header: Header, receipts: Any, addresses: Collection[str]) -> list[Log]:
    """Return the logs of these contracts (lower-case addresses).

    Raises BadReceipts if a receipt is missing, if a log between two others is missing, or if the
    logs don't match the header's bloom. An empty bloom is not compared, because some chains have no
    blooms."""
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
        raise BadReceipts(f"the node returned receipts from a block other than {block.height} {block.hash}")
    if [int(log["logIndex"], 16) for log in logs] != list(range(len(logs))):
        raise BadReceipts(f"a log is missing from the receipts of block {block.height}")
    if header.bloom and bloom_of(logs) != header.bloom:
        raise BadReceipts(f"the receipts of block {block.height} don't match its bloom")
    return [log for log in logs if log["address"].lower() in addresses]
