"""The bloom of a header: which addresses and topics the logs of its block may have (yellow paper, 4.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eth_utils.crypto import keccak

from indexer.model import Log

BITS = 2048
SPARSE_BITS = BITS // 3
"""Bits set, up to which a positive of the bloom is worth a request: beyond, one in twenty is false."""


@lru_cache(maxsize=65_536)
def bits(item: str) -> int:
    """The three bits of an address or a topic (0x hex)."""
    digest = keccak(hexstr=item)
    found = 0
    for offset in (0, 2, 4):
        found |= 1 << (int.from_bytes(digest[offset : offset + 2], "big") % BITS)
    return found


def bloom_of(logs: Iterable[Log]) -> int:
    """The bloom of exactly these logs."""
    found = 0
    for item in {item for log in logs for item in (log["address"].lower(), *log["topics"])}:
        found |= bits(item)
    return found


def may_contain(bloom: int, item: str) -> bool:
    """True when the block may have a log with this address or topic; False is certain."""
    mask = bits(item)
    return bloom & mask == mask


def may_concern(bloom: int, topics: Mapping[str, Iterable[str]]) -> bool:
    """True when the block may have a log of one of these contracts (lower-case addresses)."""
    return any(may_contain(bloom, address) for address in topics)


def is_sparse(bloom: int) -> bool:
    return bloom.bit_count() <= SPARSE_BITS


def consistent_with(
    bloom: int, logs: Iterable[Log], topics: Mapping[str, Iterable[str]], more_topics: Iterable[str] = ()
) -> bool:
    """True when these can be all logs of these contracts in the block: none that the bloom lacks, and at least one for
    each contract's event and each topic of `more_topics` that the bloom has.

    The bloom covers all contracts' logs, so a positive may be another's; and one log of two suffices for it: `seq` and
    the contract's `seqOf` catch that."""
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
