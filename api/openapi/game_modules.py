"""Finds the modules of a single game by the game's name. This way, no other module has to name a
game."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from indexer.games import MODULES


def game_modules(package: str) -> list[ModuleType]:
    """Return the game modules of this package, in the order of the game registry. Most games have
    none."""
    names = [f"{package}.{name}" for name in MODULES]
    return [import_module(name) for name in names if find_spec(name) is not None]
