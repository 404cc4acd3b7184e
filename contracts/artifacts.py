"""Compiled contracts, as they travel with the package: no Node is needed to use them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "artifacts"


class NoArtifact(Exception):
    """No contract of this name was compiled."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no compiled contract {name!r}: run `chainboard build`")
        self.name = name


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled contract. `bytecode` creates it (0x hex, constructor arguments follow), `size` is that of its code on
    the chain in bytes; `source_key` tells the compiler, its settings and the sources it was made from."""

    name: str
    abi: list[dict[str, Any]]
    bytecode: str
    size: int
    source_key: str


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
