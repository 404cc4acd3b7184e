"""Finds the modules in a package that each belong to one game. Such a module has the game's name,
so that code for all games doesn't have to name any game."""

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
