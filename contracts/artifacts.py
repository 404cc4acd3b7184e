"""Compiled contracts, as they travel with the package: no Node is needed to use them."""

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
    """No contract of this name was compiled."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no compiled contract {name[:80]!a}: run `chainboard build`")
        self.name = name


class NotLinked(Exception):
    """A contract needs the address of a library that nobody named."""

    def __init__(self, contract: str, library: str) -> None:
        super().__init__(f"{contract} calls the library {library}, whose address is not known")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract, or library that is linked. `bytecode` creates it (0x hex, constructor arguments follow),
    `size` is that of its code on the chain in bytes; `source_key` tells the compiler, its settings and the sources.
    `libraries`: those that it calls by their addresses: by name, what stands in `bytecode` instead of the address.
    `runtime`: its code on the chain (0x hex), but for what is not known before: `unknown` has the start and length of
    those spans in bytes. `draws_from_blocks`: it draws chance from blocks' hashes."""

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
        """The bytecode with the addresses of its libraries, by their names. Raises NotLinked for one that lacks."""
        code = self.bytecode
        for name, placeholder in self.libraries.items():
            if name not in addresses:
                raise NotLinked(self.name, name)
            code = code.replace(placeholder, addresses[name].removeprefix("0x").lower())
        return code

    def addresses_in(self, creation: str) -> dict[str, str] | None:
        """The libraries' addresses by name, from the data of a transaction (0x hex) that created a contract; None when
        the contract is not this one."""
        starts = {name: self.bytecode.index(placeholder) for name, placeholder in self.libraries.items()}
        addresses = {name: "0x" + creation[start : start + ADDRESS_DIGITS] for name, start in starts.items()}
        return addresses if creation.startswith(self.linked(addresses)) else None

    def addresses_in_runtime(self, code: str) -> dict[str, str]:
        """The libraries' addresses by name, from its code on a chain (0x hex): where each is called first."""
        starts = {name: self.runtime.index(placeholder) for name, placeholder in self.libraries.items()}
        return {name: "0x" + code[start : start + ADDRESS_DIGITS] for name, start in starts.items()}

    def creation(self, arguments: Sequence[Any], addresses: Mapping[str, str]) -> str:
        """The code that creates it (0x hex), with its libraries' addresses and its constructor's arguments. Raises
        NotLinked."""
        constructor: dict[str, Any] = next((one for one in self.abi if one["type"] == "constructor"), {"inputs": []})
        return self.linked(addresses) + encode([one["type"] for one in constructor["inputs"]], arguments).hex()

    def is_same_creation(self, other: str, mine: str) -> bool:
        """Whether two creation codes (0x hex) are the same, but for the hash of the metadata, which changes with a
        comment. `mine` is from `creation`."""
        end = len(self.bytecode)
        start = end - 2 * (int(self.bytecode[-4:], 16) + 2)
        return len(other) == len(mine) and other[:start] == mine[:start] and other[end:] == mine[end:]

    def has_code(self, code: str, exactly: bool = False) -> bool:
        """Whether code on a chain (0x hex) is this contract's, where it is known before. `exactly`: with the hash of
        the metadata at its end, which changes with a comment."""
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
        """Whether the code (0x hex) at an address is that of this library, which links none itself. A library that
        writes has its own address in its code, where 0 stands in `bytecode`."""
        runtime = code.removeprefix("0x").replace(address.removeprefix("0x").lower(), "0" * ADDRESS_DIGITS)
        return len(runtime) == 2 * self.size and self.bytecode.endswith(runtime)


@cache
def load(name: str) -> Artifact:
    """The contract of this name; NoArtifact when there is none. A stranger's manifest may have any name: one that is no
    word would be the path of another file."""
    if re.fullmatch(r"\w+", name, re.ASCII) is None:
        raise NoArtifact(name)
    try:
        return Artifact(**json.loads(_file(name).read_text("utf-8")))
    except FileNotFoundError:
        raise NoArtifact(name) from None


def save(artifact: Artifact) -> None:
    """Keeps it for the next `load`."""
    _file(artifact.name).parent.mkdir(exist_ok=True)
    _file(artifact.name).write_text(json.dumps(asdict(artifact), sort_keys=True, indent=1) + "\n", "utf-8")
    load.cache_clear()


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json"
