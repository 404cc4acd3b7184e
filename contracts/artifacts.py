"""Compiled contracts, as they travel with the package: no Node is needed to use them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "artifacts"
ADDRESS_DIGITS = 40


class NoArtifact(Exception):
    """No contract of this name was compiled."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no compiled contract {name!r}: run `chainboard build`")
        self.name = name


class NotLinked(Exception):
    """A contract needs the address of a library that nobody named."""

    def __init__(self, contract: str, library: str) -> None:
        super().__init__(f"{contract} calls the library {library}, whose address is not known")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract, or library that is linked. `bytecode` creates it (0x hex, constructor arguments follow),
    `size` is that of its code on the chain in bytes; `source_key` tells the compiler, its settings and the sources.
    `libraries`: those that it calls by their addresses: by name, what stands in `bytecode` instead of the address."""

    name: str
    abi: list[dict[str, Any]]
    bytecode: str
    size: int
    source_key: str
    libraries: dict[str, str] = field(default_factory=dict)

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

    def is_library(self, address: str, code: str) -> bool:
        """Whether the code (0x hex) at an address is that of this library, which links none itself. A library that
        writes has its own address in its code, where 0 stands in `bytecode`."""
        runtime = code.removeprefix("0x").replace(address.removeprefix("0x").lower(), "0" * ADDRESS_DIGITS)
        return len(runtime) == 2 * self.size and self.bytecode.endswith(runtime)


@cache
def load(name: str) -> Artifact:
    """The contract of this name; NoArtifact when there is none."""
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
