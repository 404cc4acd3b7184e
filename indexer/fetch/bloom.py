"""Tests the Bloom filter in a block's header. The filter shows which addresses and topics can occur
in the block's logs.

The yellow paper defines the filter in section 4.3.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eth_utils.crypto import keccak

from indexer.model import Log

BITS = 2048
SPARSE_BITS = BITS // 3
"""The maximum number of set bits in a useful filter. In a fuller filter, at least 1 in 20 positive
results is false, so a positive result isn't worth a request."""


@lru_cache(maxsize=65_536)
def bloom_bits(item: str) -> int:
    """Return a mask of the three Bloom filter bits that an address or a topic (0x hex) sets."""
    digest = keccak(hexstr=item)
    found = 0
    for offset in (0, 2, 4):
        found |= 1 << (int.from_bytes(digest[offset : offset + 2], "big") % BITS)
    return found


def bloom_of(logs: Iterable[Log]) -> int:
    """Return the Bloom filter of a block that has exactly these logs."""
    found = 0
    for item in {item for log in logs for item in (log["address"].lower(), *log["topics"])}:
        found |= bloom_bits(item)
    return found


def may_contain(bloom: int, item: str) -> bool:
    """Return True if the block might have a log with this address or topic, and False if it
    certainly has none."""
    mask = bloom_bits(item)
    return bloom & mask == mask


def may_contain_any(bloom: int, topics: Mapping[str, Iterable[str]]) -> bool:
    """Return True if the block might have a log of these contracts. The keys of `topics` are the
    contracts' addresses in lower case."""
    return any(may_contain(bloom, address) for address in topics)


def is_sparse(bloom: int) -> bool:
    """Return True if the filter is useful: few of its bits are set, so few results are false."""
    return bloom.bit_count() <= SPARSE_BITS


def consistent_with(
    bloom: int, logs: Iterable[Log], topics: Mapping[str, Iterable[str]], more_topics: Iterable[str] = ()
) -> bool:
    """Return False if the filter shows that `logs` are not exactly our contracts' logs in the
    block.

    The filter must contain each log. If the filter contains an event of a contract, or a topic in
    `more_topics`, one of `logs` must have it too.

    The result can be wrong. False is wrong if another contract's log has set the same bits. True is
    wrong if two logs have the same topics and one of them is missing. The events' numbers (`seq`
    and the contract's `seqOf`) reveal the missing log."""
    listed = list(logs)
    if bloom_of(listed) & ~bloom:
        return False
    promised = {address: kinds for address, kinds in topics.items() if may_contain(bloom, address)}
    if not promised:
        return True
    found_kinds = {(log["address"].lower(), log["topics"][0]) for log in listed if log["topics"]}
    if any(
        may_contain(bloom, kind) and (address, kind) not in found_kinds
        for address, kinds in promised.items()
        for kind in kinds
    ):
        return False
    seen = {topic for log in listed for topic in log["topics"][1:]}
    return not any(topic not in seen and may_contain(bloom, topic) for topic in more_topics)
