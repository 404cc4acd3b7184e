"""Tests that the registry finds computer players by their files, and checks them when it loads
them."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import battleship, tic_tac_toe
from bots.opponent import BadOpponents, Opponents
from bots.registry import OPPONENTS, find, from_file, opponents_of
from indexer.games import GAMES

BOTS = Path(__file__).parents[2] / "bots"
ALLOWED = ("indexer.rules.", "indexer.games.", "indexer.gamekit.", "indexer.model", "bots.opponent")
LIBRARY = {"__future__", "collections", "copy", "dataclasses", "functools", "itertools", "math", "random", "typing"}
GIVEN: dict[str, Any] = {"choose": tic_tac_toe.choose, "moves": tic_tac_toe.moves, "invite": tic_tac_toe.invite}


def test_each_games_file_is_its_opponents() -> None:
    assert OPPONENTS["tic-tac-toe"] is tic_tac_toe.OPPONENTS
    assert OPPONENTS["battleship"] is battleship.OPPONENTS
    assert OPPONENTS["battleship"].strengths == ("hunter", "reckoner")


def test_a_game_without_a_file_has_none() -> None:
    assert opponents_of(replace(GAMES["tic-tac-toe"], slug="no-such-game")) is None


def modules(slug: str) -> list[Path]:
    """Return the modules that contain a game's computer players."""
    name = slug.replace("-", "_")
    return [BOTS / f"{name}.py", *BOTS.glob(f"{name}_*.py")]


@pytest.mark.parametrize("file", [file for slug in OPPONENTS for file in modules(slug)], ids=lambda file: file.stem)
def test_opponents_know_rules_and_boards_alone(file: Path) -> None:
    """Tests that computer players use no network, no chain and no files. They read only the public
    board."""
    tree = ast.parse(file.read_text("utf-8"))
    found = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [name for name in found if name.split(".")[0] in ("bots", "indexer", "transactions", "contracts", "api")]
    assert ours
    game = next(one.module for one in GAMES.values() if file.stem.startswith(one.module))
    assert all(name.startswith((*ALLOWED, f"bots.{game}_")) for name in ours), ours
    others = {name.split(".")[0] for name in found if name not in ours}
    others |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert others <= LIBRARY


@pytest.mark.parametrize(
    ("strengths", "words"),
    [
        ((), r"strengths is \(\), but must be a tuple of names, with the weakest first"),
        (["a"], r"strengths is \['a'\], but must be a tuple of names, with the weakest first"),
        (("Perfect",), "isn't a valid name"),
        (("a" * 33,), "isn't a valid name"),
        ((7,), "isn't a valid name"),
        (("a", "b", "a"), "each name in strengths may occur only once: a, b, a"),
        (("random",), "reserved for the random player"),
    ],
)
def test_names_that_are_none_are_refused(strengths: Any, words: str) -> None:
    with pytest.raises(BadOpponents, match=words):
        Opponents(strengths, **GIVEN)


@pytest.mark.parametrize("part", GIVEN)
def test_a_part_that_is_no_function_is_refused(part: str) -> None:
    with pytest.raises(BadOpponents, match=f"{part} must be a function, not 7"):
        Opponents(("a",), **{**GIVEN, part: 7})


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, "there is no file .*mine.py"),
        ("OPPONENTS = 7", "doesn't define OPPONENTS = Opponents"),
        ("import no_such_thing", "can't load .*: ModuleNotFoundError"),
        ("def (", "can't load .*: SyntaxError"),
        ("raise SystemExit(3)", "can't load .*: SystemExit"),
        ("from bots.opponent import Opponents\nOPPONENTS = Opponents((), 1, 2, 3)", "can't load .*: BadOpponents"),
    ],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, source: str | None, words: str) -> None:
    if source is not None:
        (tmp_path / "mine.py").write_text(source, "utf-8")
    with pytest.raises(BadOpponents, match=words):
        from_file(tmp_path / "mine.py")


def test_an_opponent_is_found_by_its_name_or_its_file(tmp_path: Path) -> None:
    game = GAMES["tic-tac-toe"]
    file = tmp_path / "mine.py"
    file.write_text("from bots.tic_tac_toe import OPPONENTS", "utf-8")
    assert find(game, "careful").strength == "careful"
    assert find(game, "random").strength == "random"
    # no strength is given, so the registry returns the strongest player
    assert find(game, str(file)).strength == "perfect"
    assert find(game, f"{file}:careful").strength == "careful"
    for name in ("Perfect", "", "hunter", f"{file}:hunter"):
        with pytest.raises(BadOpponents, match=r"use careful, perfect, random"):
            find(game, name)
    with pytest.raises(BadOpponents, match="has no computer players"):
        find(replace(game, slug="no-such-game"), "careful")


@pytest.mark.parametrize("slug", OPPONENTS)
def test_nobody_has_a_move_where_there_is_nothing_to_do(slug: str) -> None:
    opponents = OPPONENTS[slug]
    over = {**GAMES[slug].start, "status": "finished", "players": {"0x1": {"seat": 0, "ships": [], "shots": {}}}}
    found = [opponents.choose(over, 0, strength, Random(1)) for strength in opponents.strengths]
    assert found == [None] * len(opponents.strengths)
