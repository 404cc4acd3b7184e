"""The data of a call to a contract, by its ABI."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eth_abi.abi import encode
from eth_utils.crypto import keccak


class NoFunction(Exception):
    """The contract has no function of this name with so many arguments."""

    def __init__(self, name: str, arguments: int) -> None:
        super().__init__(f"the contract has no function {name} with {arguments} arguments")


def encode_call(abi: Sequence[dict[str, Any]], name: str, arguments: Sequence[Any]) -> str:
    """Selector and arguments as 0x hex. Overloads are told apart by the number of arguments."""
    for entry in abi:
        if entry["type"] == "function" and entry["name"] == name and len(entry["inputs"]) == len(arguments):
            types = [one["type"] for one in entry["inputs"]]
            selector = keccak(text=f"{name}({','.join(types)})")[:4]
            return "0x" + selector.hex() + encode(types, arguments).hex()
    raise NoFunction(name, len(arguments))
