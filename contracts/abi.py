"""Encodes contract calls and decodes the calls' results, using the contract's ABI."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from eth_abi.abi import decode, encode
from eth_utils.abi import collapse_if_tuple
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

MAX_GAS = 2**24
"""The maximum gas that a transaction can use (EIP-7825)."""
checksum = lru_cache(maxsize=65_536)(to_checksum_address)


class NoFunction(Exception):
    """The contract has no function with this name and this number of arguments."""

    def __init__(self, name: str, arguments: int) -> None:
        super().__init__(f"the contract has no function {name} with {arguments} arguments")


def encode_call(abi: Sequence[dict[str, Any]], name: str, arguments: Sequence[Any]) -> str:
    """Return the data of a contract call (0x hex): the selector and the encoded arguments.

    If several functions have this name, the number of arguments selects the function. Raises
    NoFunction."""
    types = [collapse_if_tuple(one) for one in _function(abi, name, len(arguments))["inputs"]]
    selector = keccak(text=f"{name}({','.join(types)})")[:4]
    return "0x" + selector.hex() + encode(types, arguments).hex()


def decode_result(abi: Sequence[dict[str, Any]], name: str, arguments: int, result: str) -> Any:
    """Decode the result (0x hex) of a view that takes this number of arguments.

    Structs become dictionaries, addresses get a checksum, and bytes become 0x hex. If the view
    returns several values, the result is a list. Otherwise, it is the single value. Raises
    NoFunction, ValueError, or DecodingError of eth_abi."""
    outputs = _function(abi, name, arguments)["outputs"]
    values = decode([collapse_if_tuple(one) for one in outputs], bytes.fromhex(result.removeprefix("0x")))
    found = [_to_json(one, value) for one, value in zip(outputs, values, strict=True)]
    return found[0] if len(found) == 1 else found


def _function(abi: Sequence[dict[str, Any]], name: str, arguments: int) -> dict[str, Any]:
    for entry in abi:
        if entry["type"] == "function" and entry["name"] == name and len(entry["inputs"]) == arguments:
            return entry
    raise NoFunction(name, arguments)


def _to_json(parameter: dict[str, Any], value: Any) -> Any:
    kind: str = parameter["type"]
    if kind.endswith("]"):
        inner = {**parameter, "type": kind[: kind.rindex("[")]}
        return [_to_json(inner, one) for one in value]
    if kind == "tuple":
        return {one["name"]: _to_json(one, each) for one, each in zip(parameter["components"], value, strict=True)}
    if kind == "address":
        return checksum(value)
    return "0x" + value.hex() if isinstance(value, bytes) else value
