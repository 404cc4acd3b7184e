"""Loads and saves compiled contracts.

The compiled contracts ship with the package, so programs don't need the compiler or Node.js at run
time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from eth_abi.abi import encode

FOLDER = Path(__file__).parent / "artifacts"
ADDRESS_DIGITS = 40


class NoArtifact(Exception):
    """There is no compiled contract with this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no compiled contract {name[:80]!a}: run `chainboard build`")
        self.name = name


class NotLinked(Exception):
    """A contract calls a library, but the caller of this module hasn't given the library's
    address."""

    def __init__(self, contract: str, library: str) -> None:
        super().__init__(f"{contract} calls the library {library}, whose address is unknown")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract or linked library.

    - `bytecode`: the creation code (0x hex) without the constructor's arguments.
    - `size`: the size of the deployed code, in bytes.
    - `source_key`: a hash of the compiler's version, its settings and our sources.
    - `libraries`: for each library's name, the placeholder in `bytecode` for the library's address.
    - `runtime`: the deployed code (0x hex), except for the spans in `unknown`.
    - `unknown`: the start and the length, in bytes, of each span that deployment fills in.
    - `draws_from_blocks`: True if the contract derives random numbers from block hashes."""

    name: str
    abi: list[dict[str, Any]]
    bytecode: str
    size: int
    source_key: str
    libraries: dict[str, str] = field(default_factory=dict)
    runtime: str = "0x"
    unknown: list[list[int]] = field(default_factory=list)
    draws_from_blocks: bool = False

    def linked(self, addresses: Mapping[str, str]) -> str:
        """Return the bytecode (0x hex) with the addresses of its libraries filled in.

        `addresses` is keyed by library name. Raises NotLinked if an address is missing."""
        code = self.bytecode
        for name, placeholder in self.libraries.items():
            if name not in addresses:
                raise NotLinked(self.name, name)
            code = code.replace(placeholder, addresses[name].removeprefix("0x").lower())
        return code

    def addresses_in(self, creation: str) -> dict[str, str] | None:
        """Read the libraries' addresses from the contract's creation code (0x hex). The keys of the
        result are the libraries' names. Return None if this code doesn't create this contract."""
        starts = {name: self.bytecode.index(placeholder) for name, placeholder in self.libraries.items()}
        addresses = {name: "0x" + creation[start : start + ADDRESS_DIGITS] for name, start in starts.items()}
        return addresses if creation.startswith(self.linked(addresses)) else None

    def addresses_in_runtime(self, code: str) -> dict[str, str]:
        """Read the libraries' addresses from the contract's deployed code (0x hex). Each address is
        read from the first call to the library. The keys of the result are the libraries' names."""
        starts = {name: self.runtime.index(placeholder) for name, placeholder in self.libraries.items()}
        return {name: "0x" + code[start : start + ADDRESS_DIGITS] for name, start in starts.items()}

    def creation(self, arguments: Sequence[Any], addresses: Mapping[str, str]) -> str:
        """Return the complete creation code (0x hex): linked bytecode and encoded arguments.

        `addresses` is keyed by library name. Raises NotLinked if an address is missing."""
        constructor: dict[str, Any] = next((one for one in self.abi if one["type"] == "constructor"), {"inputs": []})
        return self.linked(addresses) + encode([one["type"] for one in constructor["inputs"]], arguments).hex()

    def is_same_creation(self, other: str, mine: str) -> bool:
        """Return True if two creation codes (0x hex) are equal, ignoring the metadata hash at the
        code's end.

        Even a change to a comment changes this hash. `mine` is the result of `creation`."""
        end = len(self.bytecode)
        start = end - 2 * (int(self.bytecode[-4:], 16) + 2)
        return len(other) == len(mine) and other[:start] == mine[:start] and other[end:] == mine[end:]

    def has_code(self, code: str, exactly: bool = False) -> bool:
        """Return True if deployed code (0x hex) is this contract's, ignoring the `unknown` spans.

        If `exactly`, also compare the metadata hash at the end. Even a change to a comment changes
        this hash."""
        mine, other = self.runtime.removeprefix("0x"), code.removeprefix("0x")
        if len(mine) != len(other) or not mine:
            return False
        end = len(mine) if exactly else len(mine) - 2 * (int(mine[-4:], 16) + 2)
        known, start = [], 0
        for offset, length in self.unknown:
            known.append((start, 2 * offset))
            start = 2 * (offset + length)
        return all(mine[first:last] == other[first:last] for first, last in (*known, (start, end)))

    def is_library(self, address: str, code: str) -> bool:
        """Return True if the deployed code (0x hex) at an address is this library's.

        The library must not link other libraries. If the library writes state, its deployed code
        contains its own address where `bytecode` has zeros."""
        runtime = code.removeprefix("0x").replace(address.removeprefix("0x").lower(), "0" * ADDRESS_DIGITS)
        return len(runtime) == 2 * self.size and self.bytecode.endswith(runtime)


@cache
def load(name: str) -> Artifact:
    """Return the compiled contract with this name. Raises NoArtifact if there is none.

    The name must be a single word. Otherwise, a manifest from somebody else could contain a name
    with a slash, which would lead to another file."""
    if re.fullmatch(r"\w+", name, re.ASCII) is None:
        raise NoArtifact(name)
    try:
        return Artifact(**json.loads(_file(name).read_text("utf-8")))
    except FileNotFoundError:
        raise NoArtifact(name) from None


def save(artifact: Artifact) -> None:
    """Write a compiled contract to its file, where `load` finds it."""
    _file(artifact.name).parent.mkdir(exist_ok=True)
    _file(artifact.name).write_text(json.dumps(asdict(artifact), sort_keys=True, indent=1) + "\n", "utf-8")
    load.cache_clear()


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json"
