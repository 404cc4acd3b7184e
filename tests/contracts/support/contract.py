"""A deployed contract in a test. It encodes and decodes calls, transactions, errors and events with
the contract's ABI."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from eth_abi import decode as decode_anew
from eth_abi import encode
from eth_utils import keccak

from contracts.abi import checksum
from contracts.artifacts import Artifact, load
from indexer.games import GAMES
from indexer.model import Event
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.node import GAS, Node


class Reverted(Exception):
    """An exception for a reverted call. It contains the name and the values of the contract's
    custom error."""

    def __init__(self, name: str, *values: Any) -> None:
        super().__init__(name, *values)
        self.name = name
        self.values = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reverted) and self.args == other.args

    __hash__ = None  # type: ignore[assignment]


@contextmanager
def expect_revert(match: Any, name: str, *values: Any) -> Iterator[None]:
    """Check that the call in the `with` block reverts with this error, and that `match.view` stays
    the same."""
    before = match.view
    with pytest.raises(Reverted) as told:
        yield
    assert told.value == Reverted(name, *values)
    assert match.view == before


@dataclass(frozen=True)
class ContractReceipt:
    """The receipt of a successful transaction."""

    gas: int
    height: int
    events: list[Event]
    raw: dict[str, Any]

    def named(self, name: str) -> list[dict[str, Any]]:
        return [event.args for event in self.events if event.name == name]


class Contract:
    """A contract on the test's chain. Functions are called by name, or by signature such as
    `register(uint48)`."""

    def __init__(self, node: Node, artifact: Artifact, address: str) -> None:
        self.node = node
        self.abi = artifact.abi
        self.slug = next((game.slug for game in GAMES.values() if game.contract == artifact.name), "")
        self.address = checksum(address)
        self._functions: dict[str, dict[str, Any]] = {}
        self._errors: dict[str, dict[str, Any]] = {}
        self._events: dict[str, dict[str, Any]] = {}
        for item in artifact.abi:
            self._add(item)

    def _add(self, item: dict[str, Any]) -> None:
        if item["type"] not in ("function", "error", "event"):
            return
        signature = f"{item['name']}({','.join(_types(item['inputs']))})"
        digest = keccak(text=signature)
        if item["type"] == "function":
            kinds = {"takes": _types(item["inputs"]), "returns": _types(item["outputs"])}
            entry = {"selector": "0x" + digest[:4].hex(), **kinds, **item}
            self._functions[signature] = entry
            self._functions.setdefault(item["name"], entry)
        elif item["type"] == "error":
            self._errors["0x" + digest[:4].hex()] = item
        else:
            indexed, others = ([i for i in item["inputs"] if i["indexed"] == kind] for kind in (True, False))
            self._events["0x" + digest.hex()] = {"indexed": indexed, "others": others, "told": _types(others), **item}

    def data(self, function: str, *args: Any) -> str:
        entry = self._functions[function]
        return str(entry["selector"]) + encode(entry["takes"], args).hex()

    def signature(self, function: str) -> str:
        entry = self._functions[function]
        return f"{entry['name']}({','.join(entry['takes'])})"

    def decoded(self, data: str) -> tuple[str, dict[str, Any]]:
        """Decode a transaction's data. Return the name of the called function, and a dictionary of
        the function's arguments."""
        item = next(entry for entry in self._functions.values() if entry["selector"] == data[:10])
        values = decode(item["takes"], bytes.fromhex(data[10:]))
        args = {i["name"]: json_value(i["type"], v) for i, v in zip(item["inputs"], values, strict=True)}
        return str(item["name"]), args

    def error_data(self, name: str, *values: Any) -> str:
        """Return the revert data that the contract returns with this error."""
        selector, item = next(pair for pair in self._errors.items() if pair[1]["name"] == name)
        return selector + encode(_types(item["inputs"]), values).hex()

    @property
    def code(self) -> str:
        return str(self.node.rpc("eth_getCode", self.address, "latest"))

    def request(
        self, function: str, *args: Any, sender: str | None = None, block: str = "latest", value: int = 0
    ) -> tuple[Any, ...]:
        """Return an `eth_call` request, which can also be sent in a batch."""
        call = {"to": self.address, "data": self.data(function, *args), "gas": hex(GAS), "value": hex(value)}
        return ("eth_call", call | ({"from": sender} if sender else {}), block)

    def result(self, function: str, answer: str) -> Any:
        values = decode(self._functions[function]["returns"], bytes.fromhex(answer[2:]))
        return values[0] if len(values) == 1 else values

    def call(self, function: str, *args: Any, **options: Any) -> Any:
        """Call a function with the options of `request`, and return the result. Raises Reverted if
        the call fails."""
        try:
            answer = self.node.rpc(*self.request(function, *args, **options))
        except AnvilError as error:
            raise self.decode_error(error.data) from error
        return self.result(function, answer)

    def decode_error(self, data: str) -> Reverted:
        item = self._errors.get(data[:10])
        if item is None:
            return Reverted("unknown", data)
        values = decode(_types(item["inputs"]), bytes.fromhex(data[10:]))
        return Reverted(item["name"], *map(_plain, values))

    def send(self, sender: str, function: str, *args: Any, gas: int = GAS, value: int = 0) -> ContractReceipt:
        """Send a transaction with `value` wei in its own block. Raises Reverted if the transaction
        fails."""
        data = self.data(function, *args)
        raw = self.node.send(sender, self.address, data, gas, value)
        if int(raw["status"], 16) == 0:
            raise self._why(
                {"from": sender, "to": self.address, "data": data, "gas": hex(gas), "value": hex(value)}, raw
            )
        return self.receipt(raw)

    def _why(self, call: dict[str, Any], raw: dict[str, Any]) -> Reverted:
        before = hex(int(raw["blockNumber"], 16) - 1)
        block = {"number": raw["blockNumber"], "time": raw["blockTimestamp"]}
        try:
            self.node.rpc("eth_call", call, before, {}, block)
        except AnvilError as error:
            return self.decode_error(error.data)
        return Reverted("out of gas, or the call depends on the block", raw["transactionHash"])

    def receipt(self, raw: dict[str, Any]) -> ContractReceipt:
        logs = [log for log in raw["logs"] if checksum(log["address"]) == self.address]
        return ContractReceipt(int(raw["gasUsed"], 16), int(raw["blockNumber"], 16), list(self.events(logs)), raw)

    def events(self, logs: Iterable[dict[str, Any]]) -> Iterable[Event]:
        return [self._event(log) for log in logs]

    def _event(self, log: dict[str, Any]) -> Event:
        item = self._events[log["topics"][0]]
        values = decode(item["told"], bytes.fromhex(log["data"][2:]))
        args = {i["name"]: json_value(i["type"], v) for i, v in zip(item["others"], values, strict=True)}
        for i, topic in zip(item["indexed"], log["topics"][1:], strict=True):
            args[i["name"]] = json_value(i["type"], decode((i["type"],), bytes.fromhex(topic[2:]))[0])
        match, seq = args.pop("matchId", 0), args.pop("seq", 0)
        return Event(
            self.slug, match, seq, item["name"], args,
            int(log["blockNumber"], 16), log["blockHash"], int(log.get("blockTimestamp", "0x0"), 16),
            log["transactionHash"], int(log["logIndex"], 16),
        )  # fmt: skip


def deploy(node: Node, artifact: Artifact, *args: Any) -> Contract:
    kinds = [_type(i) for item in artifact.abi if item["type"] == "constructor" for i in item["inputs"]]
    addresses = {name: deploy(node, library(name)).address for name in artifact.libraries}
    raw = node.send(node.accounts[0], None, artifact.linked(addresses) + encode(kinds, args).hex())
    assert int(raw["status"], 16) == 1, raw
    return Contract(node, artifact, raw["contractAddress"])


def library(name: str) -> Artifact:
    """Return the artifact of a linked library. In a mutation test, return the artifact with the
    planted defect, as `conftest.artifact` does for contracts."""
    planted = os.environ.get("CHAINBOARD_TEST_ARTIFACT")
    found = json.loads(Path(planted).read_text("utf-8"))["linked"] if planted else {}
    return Artifact(**found[name]) if name in found else load(name)


def deploy_game(node: Node, artifact: Artifact) -> tuple[Contract, Contract]:
    """Deploy the registry of session keys and the game. Return both contracts."""
    sessions = deploy(node, load("Sessions"))
    return sessions, deploy(node, artifact, sessions.address, 1)


def json_value(kind: str, value: Any) -> Any:
    """Convert a value from an event to the format of the indexer.

    Integers with a type of more than 48 bits become decimal strings."""
    if kind == "address":
        return checksum(value)
    if kind.endswith("]"):
        return [json_value(kind[: kind.rindex("[")], each) for each in value]
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if kind.startswith("uint") and int(kind[4:]) > 48:
        return str(value)
    return value


def _plain(value: Any) -> Any:
    return checksum(value) if isinstance(value, str) else value


@lru_cache(maxsize=65_536)
def decode(kinds: tuple[str, ...], data: bytes) -> tuple[Any, ...]:
    """Decode the data. Cache the results, because tests often call a view again before anything has
    changed."""
    return decode_anew(kinds, data)


def _types(items: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(map(_type, items))


def _type(item: dict[str, Any]) -> str:
    if not item["type"].startswith("tuple"):
        return str(item["type"])
    return f"({','.join(map(_type, item['components']))}){item['type'][5:]}"
