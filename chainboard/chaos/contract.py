"""A game's contract as it stands on the chain: calls to it, and its view of a match as named tuples."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from eth_abi.abi import decode
from eth_utils.address import to_checksum_address

from chainboard.chaos.game import Move
from contracts.calls import encode_call

Json: TypeAlias = dict[str, Any]

GAS = hex(2**24)


@dataclass(frozen=True)
class Contract:
    """One deployment of a game."""

    game: str
    address: str
    abi: list[Json]
    height: int

    def order(self, sender: str, move: Move) -> Json:
        """The transaction of a move. Its gas is given, so that a refused one is mined as well."""
        data = encode_call(self.abi, move.function, move.arguments)
        return {"from": sender, "to": self.address, "data": data, "gas": GAS, "value": hex(move.wei)}

    def ask(self, function: str, *arguments: Any, at: object = "latest") -> tuple[str, list[Any]]:
        """A call of a view, as a request to the node."""
        return "eth_call", [{"to": self.address, "data": encode_call(self.abi, function, arguments)}, at]

    def read(self, function: str, answer: str) -> Any:
        """What the view gave back; a single value as such."""
        outputs = next(one["outputs"] for one in self.abi if one.get("name") == function and one["type"] == "function")
        values = decode([_kind(one) for one in outputs], bytes.fromhex(answer[2:]))
        found = [_named(one, value) for one, value in zip(outputs, values, strict=True)]
        return found[0] if len(found) == 1 else found


def contracts_in(manifest: Path) -> tuple[str | None, list[Contract]]:
    """Genesis and the newest contract of each game, by what our process wrote when it deployed them."""
    try:
        written = json.loads(manifest.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None, []
    newest = {one["game"]: Contract(one["game"], one["address"], one["abi"], one["height"]) for one in written["games"]}
    return written["genesis"], list(newest.values())


def _kind(parameter: Json) -> str:
    kind = str(parameter["type"])
    if not kind.startswith("tuple"):
        return kind
    return "(" + ",".join(_kind(one) for one in parameter["components"]) + ")" + kind.removeprefix("tuple")


@cache
def _struct(names: tuple[str, ...]) -> Any:
    return namedtuple("Struct", names, rename=True)


def _named(parameter: Json, value: Any) -> Any:
    kind = str(parameter["type"])
    if kind.endswith("]"):
        inner = {**parameter, "type": kind[: kind.rindex("[")]}
        return [_named(inner, one) for one in value]
    if kind == "tuple":
        parts: Sequence[Json] = parameter["components"]
        names = tuple(one["name"] for one in parts)
        return _struct(names)(*(_named(one, each) for one, each in zip(parts, value, strict=True)))
    return to_checksum_address(value) if kind == "address" else value
