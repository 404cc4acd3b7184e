"""Finds the modules that belong to a single game. Each of them has the game's name, so that other
code needs no list of games."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from indexer.games import MODULES


def game_modules(package: str) -> list[ModuleType]:
    """Return the modules of this package that belong to a single game, in the order of the game
    registry. Most games need no module of their own."""
    names = [f"{package}.{name}" for name in MODULES]
    return [import_module(name) for name in names if find_spec(name) is not None]
