"""The Bloom filter in a block's header. It shows which addresses and topics the block's logs can
have.

The yellow paper defines it in section 4.3.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eth_utils.crypto import keccak

from indexer.model import Log

BITS = 2048
SPARSE_BITS = BITS // 3
"""The maximum number of set bits at which a positive result is worth a request. Above this number,
at least 1 in 20 positive results is false."""


@lru_cache(maxsize=65_536)
def bloom_bits(item: str) -> int:
    """Return a mask of the three Bloom filter bits that an address or a topic (0x hex) sets."""
    digest = keccak(hexstr=item)
    found = 0
    for offset in (0, 2, 4):
        found |= 1 << (int.from_bytes(digest[offset : offset + 2], "big") % BITS)
    return found


def bloom_of(logs: Iterable[Log]) -> int:
    """Return the Bloom filter of exactly these logs."""
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
    """Return True if the block might have a log of these contracts (lower-case addresses)."""
    return any(may_contain(bloom, address) for address in topics)


def is_sparse(bloom: int) -> bool:
    """Return True if so few bits are set that a positive result is worth a request."""
    return bloom.bit_count() <= SPARSE_BITS


def consistent_with(
    bloom: int, logs: Iterable[Log], topics: Mapping[str, Iterable[str]], more_topics: Iterable[str] = ()
) -> bool:
    """Return True if `logs` can be all the logs that our contracts have in the block.

    The Bloom filter must contain each log. If it contains one of a contract's events or a topic of
    `more_topics`, at least one of `logs` must have it. A positive result can come from another
    contract's log. The filter can't show that one of two logs with the same topics is missing.
    `seq` and the contract's `seqOf` show that."""
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
