"""Decodes logs into events, using the contract's ABI. The arguments of an event are JSON values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from operator import attrgetter
from typing import TypeAlias

from eth_abi.exceptions import DecodingError, EncodingError
from eth_utils.abi import event_abi_to_log_topic

from indexer.decode.log_reader import LogReader, make_reader
from indexer.model import Block, Deployment, Event, Json, Log

EventReaders: TypeAlias = dict[str, tuple[str, LogReader | None]]
"""The readers for the logs of one contract. The key is an event's first topic. The value is the
event's name and log reader. The reader is None if the event doesn't belong to a match."""

UNKNOWN_EVENT: tuple[str, LogReader | None] = ("", None)
DECODE_ERRORS = (DecodingError, EncodingError, AttributeError, KeyError, OverflowError, TypeError, ValueError)

HASH = re.compile("0x[0-9a-f]{64}").fullmatch
QUANTITY = re.compile("0x(0|[1-9a-f][0-9a-f]{0,7})").fullmatch


class BadLog(Exception):
    """The log does not fit the contract's ABI, or it belongs to a block that was not requested."""


@lru_cache(maxsize=65_536)
def parse_quantity(text: str) -> int:
    """Parse a JSON-RPC quantity of at most 8 hex digits. Raises ValueError if it is malformed."""
    if QUANTITY(text) is None:
        raise ValueError(f"{text!r} is not a quantity")
    return int(text, 16)


@lru_cache(maxsize=4_096)
def parse_hash(text: str) -> str:
    """Check a JSON-RPC hash and return it. Results are cached because many logs share a hash.
    Raises ValueError if the hash is malformed."""
    if HASH(text) is None:
        raise ValueError(f"{text!r} is not a hash")
    return text


def event_readers(abi: Iterable[Json]) -> EventReaders:
    """Return the name and log reader of each event in an ABI. The key is the first topic."""
    events = [entry for entry in abi if entry["type"] == "event" and not entry.get("anonymous")]
    return {
        "0x" + event_abi_to_log_topic(entry).hex(): (entry["name"], make_reader(entry))  # type: ignore[arg-type]
        for entry in events
    }


@dataclass(frozen=True, slots=True)
class ContractEvents:
    """The log readers for one contract's events. Matches outside `first_match <= number <
    end_match` belong to other contracts of the game."""

    game: str
    first_match: int
    end_match: float
    readers: EventReaders

    @classmethod
    def of(cls, deployment: Deployment) -> ContractEvents:
        end = deployment.end_match
        return cls(deployment.game, deployment.first_match, inf if end is None else end, event_readers(deployment.abi))


class Decoder:
    """Turns the logs of all deployed contracts into events."""

    def __init__(self, deployments: Iterable[Deployment]) -> None:
        known = {one.address: ContractEvents.of(one) for one in deployments}
        self._contracts = {spelling: one for address, one in known.items() for spelling in (address, address.lower())}
        self.addresses = list(known)
        self.topics = {address.lower(): tuple(one.readers) for address, one in known.items()}
        """The first topics of each contract's events. The key is the contract's address, in lower
        case."""

    def events(self, logs: Iterable[Log], blocks: Mapping[int, Block]) -> list[Event]:
        """Return the events in these logs, in the order in which the chain recorded them. `blocks`:
        the blocks of the logs. The key is the block's height. Raises BadLog if a log can't be read,
        or if its block is not in `blocks`."""
        found: list[Event] = []
        log: Log = {}
        number = block = None
        try:
            for log in logs:
                if log["blockNumber"] != number or block is None or log["blockHash"] != block.hash:
                    number, block = log["blockNumber"], _block(log, blocks)
                contract, topics = self._contracts[log["address"]], log["topics"]
                name, read = contract.readers.get(topics[0], UNKNOWN_EVENT) if topics else UNKNOWN_EVENT
                if read is None:  # the event does not belong to a match
                    if not isinstance(topics, list):
                        raise TypeError("no topics")
                    continue
                match, seq, args = read(topics, log["data"])
                if contract.first_match <= match < contract.end_match:
                    origin = block.height, block.hash, block.time, parse_hash(log["transactionHash"])
                    found.append(Event(contract.game, match, seq, name, args, *origin, parse_quantity(log["logIndex"])))
        except DECODE_ERRORS as error:
            raise BadLog(f"a log can't be read: {error!r} in {str(log)[:300]}") from error
        found.sort(key=attrgetter("height", "log_index"))
        return found


def _block(log: Log, blocks: Mapping[int, Block]) -> Block:
    height = parse_quantity(log["blockNumber"])
    block = blocks.get(height)
    if block is None or block.hash != log["blockHash"]:
        raise BadLog(
            f"the node returned a log from block {height} {log['blockHash']}, but that block was not requested"
        )
    return block
