"""Finds a game's computer players in `bots/<game>.py` or in a file that the caller names. They are
checked when they are loaded."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

from bots.opponent import RANDOM, BadOpponents, Choice, Opponents
from indexer.gamekit.game import Game
from indexer.games import GAMES
from indexer.model import Json
from indexer.rules.call import Rule


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer player of one game. If it comes from a file, its name includes the file's path."""

    name: str
    opponents: Opponents
    strength: str

    def choose(self, board: Json, seat: int, random: Random) -> Choice | None:
        if self.strength == RANDOM:
            moves = self.opponents.moves(board, seat)
            return random.choice(moves) if moves else None
        return self.opponents.choose(board, seat, self.strength, random)


def opponents_of(game: Game) -> Opponents | None:
    """Return the game's computer players, or None if the game has no computer players. Raises
    BadOpponents if they can't be used."""
    name = f"bots.{game.module}"
    return _validated(import_module(name), name.replace(".", "/") + ".py") if find_spec(name) else None


def rules_of(game: Game) -> Rule | None:
    """Return the game's rules in Python. Return None if there are none, which means that the game
    can only be played on a chain."""
    name = f"indexer.rules.{game.module}"
    found: Rule | None = getattr(import_module(name), "events", None) if find_spec(name) else None
    return found


def find(game: Game, name: str) -> Opponent:
    """Return one of a game's computer players. `name` is the player's name, `random`, or a file as
    `FILE.py` or `FILE.py:NAME`. Raises BadOpponents if there is no such computer player."""
    file, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    if file.endswith(".py"):
        opponents = from_file(Path(file))
        return Opponent(name, opponents, _require_strength(opponents, wanted or opponents.strengths[-1], file))
    builtin = OPPONENTS.get(game.slug)
    if builtin is None:
        raise BadOpponents(f"{game.title} has no computer players: use a file (FILE.py or FILE.py:NAME)")
    return Opponent(name, builtin, _require_strength(builtin, name, game.title))


def from_file(path: Path) -> Opponents:
    """Return the value of OPPONENTS in a Python file. Raises BadOpponents if the file can't be
    loaded or doesn't define valid computer players."""
    if not path.is_file():
        raise BadOpponents(f"there is no file {path}")
    spec = spec_from_file_location(f"opponents_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadOpponents(f"can't load {path}")
    module = sys.modules[spec.name] = module_from_spec(spec)  # dataclasses look up their module in sys.modules
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadOpponents(f"can't load {path}: {type(error).__name__}: {error}") from error
    return _validated(module, str(path))


def _validated(module: ModuleType, path: str) -> Opponents:
    found = getattr(module, "OPPONENTS", None)
    if not isinstance(found, Opponents):
        raise BadOpponents(f"{path} doesn't define OPPONENTS = Opponents(…)")
    return found


def _require_strength(opponents: Opponents, name: str, whose: str) -> str:
    if name not in (*opponents.strengths, RANDOM):
        allowed = ", ".join((*opponents.strengths, RANDOM))
        raise BadOpponents(f"{whose} has no computer player {name!r}: use {allowed}, or a file (FILE.py:NAME)")
    return name


OPPONENTS: Mapping[str, Opponents] = {
    game.slug: found for game in GAMES.values() if (found := opponents_of(game)) is not None
}
"""A map from each game's slug to the game's built-in computer players."""
