"""Reads a replay file. Checks everything in the file that can be checked without a chain."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from api.rest.replay_file import FORMAT, VERSION
from indexer.gamekit import names
from indexer.gamekit.game import Game
from indexer.games import GAMES
from indexer.model import Json
from indexer.sanitize import excerpt
from replay import bounds
from replay.errors import ReplayError

MAX_BYTES = 512 * 2**20
"""The maximum size of a replay file, in bytes. A file with 100,000 events takes about 50 MiB."""
HASH_DIGITS, ADDRESS_DIGITS = 64, 40
TITLE_LETTERS = 60


def is_file(name: str) -> bool:
    """Return True if a command's argument is a file's name, and not a match's name."""
    return name.endswith(".json") or Path(name).is_file()


def read(path: Path) -> Json:
    """Return the replay in a file. Raises ReplayError if the file isn't a replay file, or has a
    version that this program can't read."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise ReplayError(f"{path} has {size:,} bytes; a replay file may have at most {MAX_BYTES:,}")
        found = orjson.loads(path.read_bytes())
    except OSError as error:
        raise ReplayError(f"can't read {path}: {error.strerror or error}") from error
    except (orjson.JSONDecodeError, RecursionError) as error:
        raise ReplayError(f"{path} is not a replay file: it is not JSON, or it is incomplete ({error})") from error
    return check_replay(found, str(path))


def check_replay(found: Any, name: str) -> Json:
    """Return a parsed file's content if it is a valid replay of the version that this program
    reads. Otherwise, raises ReplayError."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        actual = (
            f"its format is {excerpt(found['format'])}"
            if isinstance(found, dict) and "format" in found
            else "it names no format"
        )
        raise ReplayError(f'{name} is not a replay file ({actual}): it must begin with "format": "{FORMAT}"')
    if type(found.get("version")) is not int or found["version"] != VERSION:
        raise ReplayError(
            f"{name} is a replay file of version {excerpt(found.get('version'))}, but this program reads "
            f"version {VERSION}"
        )
    for path, fits, what in REQUIRED:
        _require(found, path, fits, f"{name} is not a complete replay file", what)
    for number, event in enumerate(found["events"], 1):
        for path, fits, what in REQUIRED_OF_EVENTS:
            _require(event, path, fits, f"{name}: event {number} is invalid", what)
    bounds.check_bounds(found, name)
    return found


def game_of(replay: Json) -> Game:
    """Return the game of a replay. Raises ReplayError if this program doesn't have this game."""
    slug = replay["game"]["slug"]
    if slug not in GAMES:
        raise ReplayError(f"there is no game {excerpt(slug)} here; the games are {', '.join(sorted(GAMES))}")
    return GAMES[slug]


def number_of(replay: Json) -> int:
    """Return the number of the match that the replay is from. Raises ReplayError if the match's
    name is invalid."""
    try:
        return names.parse_match(GAMES, replay["match"])[1]
    except names.BadName as error:
        raise ReplayError(f"match: {error}") from error


def _require(container: Any, path: str, fits: Callable[[Any], bool], where: str, what: str) -> None:
    value = container
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            raise ReplayError(f"{where}: {path} is missing")
        value = value[key]
    if not fits(value):
        raise ReplayError(f"{where}: {path} is {excerpt(value)}, but it must be the {what}")


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _title(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= TITLE_LETTERS


def _hex(digits: int) -> Callable[[Any], bool]:
    pattern = re.compile(f"0x[0-9a-fA-F]{{{digits}}}")
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


REQUIRED: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("match", _is(str), "name of a match"),
    ("game.slug", _is(str), "name of a game"),
    ("game.title", _title, "title of a game"),
    ("game.layout", _is(str), "name of a layout"),
    ("chain.chainId", _count, "chain id"),
    ("chain.genesis", _hex(HASH_DIGITS), "hash of a block"),
    ("deployment.contract", _is(str), "name of a contract"),
    ("deployment.address", _hex(ADDRESS_DIGITS), "address"),
    ("deployment.block", _count, "height of a block"),
    ("deployment.blockHash", _hex(HASH_DIGITS), "hash of a block"),
    ("deployment.codeHash", _hex(HASH_DIGITS), "hash"),
    ("start", _is(dict), "board"),
    ("events", _is(list), "list of events"),
    ("board", _is(dict), "board"),
    ("boardHash", _hex(HASH_DIGITS), "hash"),
)
"""The members that a replay must have. Each is described by its path, a function that checks its
value, and a description of a valid value."""
REQUIRED_OF_EVENTS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("seq", _count, "number of an event"),
    ("name", _is(str), "name of an event"),
    ("args", _is(dict), "JSON object"),
    ("block", _count, "height of a block"),
    ("hash", _hex(HASH_DIGITS), "hash of a block"),
    ("tx", _hex(HASH_DIGITS), "hash of a transaction"),
    ("logIndex", _count, "log index"),
    ("time", _count, "time"),
    ("patch", _is(dict), "merge patch"),
)
