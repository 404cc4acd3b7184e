"""The bloom of a header: which addresses and topics the logs of its block may have (yellow paper, 4.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eth_utils.crypto import keccak

from indexer.model import Log

BITS = 2048
SPARSE_BITS = BITS // 3
"""Bits set, up to which a bloom's promise is worth a request: beyond, every twentieth item is there by chance."""


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
    """Whether a log with this address or topic can be among the block's."""
    wanted = bits(item)
    return bloom & wanted == wanted


def may_concern(bloom: int, topics: Mapping[str, Iterable[str]]) -> bool:
    """Whether the block may hold a log of one of these contracts (lower-case addresses)."""
    return any(may_contain(bloom, address) for address in topics)


def is_sparse(bloom: int) -> bool:
    return bloom.bit_count() <= SPARSE_BITS


def consistent_with(
    bloom: int, logs: Iterable[Log], topics: Mapping[str, Iterable[str]], also: Iterable[str] = ()
) -> bool:
    """Whether these can be all logs of these contracts in the block: none that the bloom lacks; and of each contract,
    each kind of its events and each topic of `also` that it promises, at least one. The bloom covers everybody's
    logs, so a promise may be another's; and it is kept by one log where there were two: `seq` and the contract's own
    count tell that."""
    listed = list(logs)
    if bloom_of(listed) & ~bloom:
        return False
    promised = {address: kinds for address, kinds in topics.items() if may_contain(bloom, address)}
    if not promised:
        return True
    got = {(log["address"].lower(), log["topics"][0]) for log in listed if log["topics"]}
    if any(
        may_contain(bloom, kind) and (address, kind) not in got for address, kinds in promised.items() for kind in kinds
    ):
        return False
    seen = {topic for log in listed for topic in log["topics"][1:]}
    return not any(topic not in seen and may_contain(bloom, topic) for topic in also)
