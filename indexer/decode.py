"""From a log to an event: topics and data by the contract's ABI, values as JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from eth_abi.abi import decode as abi_decode
from eth_abi.exceptions import DecodingError
from eth_utils.abi import event_abi_to_log_topic
from eth_utils.address import to_checksum_address

from indexer.model import Block, Deployment, Event, Json, Log

JSON_SAFE_BITS = 48

Convert: TypeAlias = Callable[[Any], Any]

checksum = lru_cache(maxsize=65_536)(to_checksum_address)


class BadLog(Exception):
    """A log that does not fit the contract's ABI, or the block it came with."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the logs of one event are laid out; `indexed` and `plain` hold (name, type, conversion to JSON)."""

    name: str
    indexed: tuple[tuple[str, str, Convert], ...]
    plain: tuple[tuple[str, str, Convert], ...]

    def values(self, log: Log) -> Json:
        """The arguments by name."""
        topics = log["topics"][1:]
        if len(topics) != len(self.indexed):
            raise BadLog(f"{self.name} has {len(self.indexed)} indexed arguments, the log {len(topics)}")
        values = {
            name: convert(abi_decode([kind], bytes.fromhex(topic[2:]))[0])
            for (name, kind, convert), topic in zip(self.indexed, topics, strict=True)
        }
        words = abi_decode([kind for _, kind, _ in self.plain], bytes.fromhex(log["data"][2:]))
        for (name, _, convert), word in zip(self.plain, words, strict=True):
            values[name] = convert(word)
        return values


def converter(kind: str) -> Convert:
    """How a Solidity value becomes JSON: a number up to 48 bits, else a decimal string; bytes 0x hex."""
    if kind.endswith("]"):
        inner = converter(kind[: kind.rindex("[")])
        return lambda values: [inner(value) for value in values]
    if kind == "address":
        return checksum
    if kind.startswith("bytes"):
        return lambda value: "0x" + value.hex()
    if kind.startswith(("uint", "int")):
        return int if int(kind.removeprefix("u").removeprefix("int") or 256) <= JSON_SAFE_BITS else str
    if kind in ("bool", "string"):
        return lambda value: value
    raise BadLog(f"no JSON is defined for the Solidity type {kind}")


def shapes(abi: Iterable[Json]) -> dict[str, Shape]:
    """The events of a contract by their first topic."""
    found = {}
    for entry in abi:
        if entry["type"] == "event":
            columns = [(one["name"], one["type"], converter(one["type"]), one["indexed"]) for one in entry["inputs"]]
            topic = "0x" + event_abi_to_log_topic(entry).hex()  # type: ignore[arg-type]
            found[topic] = Shape(
                entry["name"], tuple(c[:3] for c in columns if c[3]), tuple(c[:3] for c in columns if not c[3])
            )
    return found


class Decoder:
    """Turns the logs of all deployments into events."""

    def __init__(self, deployments: Iterable[Deployment]) -> None:
        self._by_address = {one.address.lower(): (one, shapes(one.abi)) for one in deployments}
        self.addresses = [one.address for one, _ in self._by_address.values()]
        self.topics = {address: tuple(known) for address, (_, known) in self._by_address.items()}
        """The first topics of all events of each contract, by its address in lower case."""

    def events(self, logs: Iterable[Log], blocks: Mapping[int, Block]) -> list[Event]:
        """The events in these logs, in the chain's order. Raises BadLog for a log of a block that is not given."""
        found = [event for log in logs if (event := self._read(log, blocks)) is not None]
        return sorted(found, key=lambda event: (event.height, event.log_index))

    def _read(self, log: Log, blocks: Mapping[int, Block]) -> Event | None:
        try:
            return self._event(log, blocks)
        except (DecodingError, KeyError, TypeError, ValueError) as error:
            raise BadLog(f"a log can't be read: {error!r} in {str(log)[:300]}") from error

    def _event(self, log: Log, blocks: Mapping[int, Block]) -> Event | None:
        height = int(log["blockNumber"], 16)
        block = blocks.get(height)
        if block is None or block.hash != log["blockHash"]:
            raise BadLog(f"a log of block {height} {log['blockHash']}, which was not asked for")
        deployment, known = self._by_address[log["address"].lower()]
        shape = known.get(log["topics"][0]) if log["topics"] else None
        if shape is None:
            return None
        args = shape.values(log)
        match, seq = args.pop("matchId", None), args.pop("seq", None)
        if match is None or seq is None or not _holds(deployment, match):
            return None
        index = int(log["logIndex"], 16)
        tx = log["transactionHash"]
        return Event(deployment.game, match, seq, shape.name, args, height, block.hash, block.time, tx, index)


def _holds(deployment: Deployment, match: int) -> bool:
    return deployment.first_match <= match and (deployment.end_match is None or match < deployment.end_match)
