"""Tests of `chainboard new-game`. The generated game must be complete, tidy and playable. Its
generated tests must fail with messages that name the next step."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from chainboard.commands.new_game import FILES, GameNames, new_game
from chainboard.errors import UserError
from tests.system.checkout import TOP, added, make_checkout, run_in

NAME = "connect-four"
"""The name of the first game that docs/how-to/add-a-game.md adds."""
TESTS = (
    "tests/repository/test_games.py",
    "tests/indexer/games/test_connect_four_reducer.py",
    "tests/contracts/connect_four/test_rules.py",
    "tests/contracts/connect_four/test_stateful.py",
)
NEXT = {
    "into `move` of ConnectFour.sol: it takes any cell",
    "where somebody has won, by `_end`",
    "let `moved` in connect_four.py",
    "into `Model` of test_stateful.py",
}
NEXT_IN_THE_PAGE = {
    "let `picture` in connect-four.js draw",
    "write the texts connect-four.game.lead, connect-four.rules.line-1",
    "put three boards of a match that was played into connect-four/rules.json",
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = make_checkout(tmp_path_factory.mktemp("skeleton"))
    done = run_in(copy, "chainboard", "new-game", NAME)
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture(scope="module")
def compiled(checkout: Path) -> Path:
    assert run_in(checkout, "chainboard", "build").stdout == "Compiled: ConnectFour\n"
    return checkout


def test_it_writes_every_file_and_one_line(checkout: Path) -> None:
    for path in FILES.values():
        text = (checkout / GameNames(NAME).fill_in(path)).read_text("utf-8")
        assert not re.search("@[A-Z]+@", text)
    assert added(checkout) == ["indexer/games/__init__.py"]
    assert (checkout / "indexer/games/__init__.py").read_text("utf-8").count('    "connect_four",\n') == 1


CHECKERS = [
    ("tsc", "-p", "."),
    ("eslint", "frontend-static"),
    ("prettier", "--check", "frontend-static/games", "tests/frontend/unit/games"),
]


@pytest.mark.soak
@pytest.mark.parametrize("checker", CHECKERS, ids=lambda checker: checker[0])
def test_its_page_is_typed_and_tidy(checkout: Path, checker: tuple[str, ...]) -> None:
    done = subprocess.run(["npx", "--no-install", *checker], cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_its_python_is_typed_and_tidy(checkout: Path) -> None:
    written = [GameNames(NAME).fill_in(path) for path in FILES.values() if path.endswith(".py")]
    for command in (("ruff", "format", "--check"), ("ruff", "check"), ("mypy", "--no-error-summary")):
        done = run_in(checkout, *command, *written)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_its_tests_fail_with_what_is_next_and_with_nothing_else(compiled: Path) -> None:
    done = run_in(compiled, "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", *TESTS)
    failures = set(re.findall(r"^E +(?:AssertionError: |Failed: )(.*)$", done.stdout, re.MULTILINE))
    assert all(one.startswith("Next: ") for one in failures), done.stdout
    assert all(any(wanted in one for one in failures) for wanted in NEXT), failures
    node = str(shutil.which("node"))
    page = subprocess.run(
        [node, "--test", "tests/frontend/unit/games/connect-four.test.mjs"],
        cwd=compiled,
        capture_output=True,
        text=True,
    )
    assert all(wanted in page.stdout for wanted in NEXT_IN_THE_PAGE), page.stdout
    assert "# pass 1" in page.stdout


REFUSED = {
    "Chess": "lower-case",
    "../chess": "lower-case",
    "chess_two": "lower-case",
    "a" * 41: "at most 40",
    "9": "a letter first",
    "": "for example connect-four",
    "class": "a Python keyword",
    "duel": "a contract named Duel",
    "aim-captain": "a contract named AimCaptain",
    "shared": "frontend-static/games/shared already",
    "tic-tac-toe": "a contract named TicTacToe",
    "turn-texts": "tests/frontend/unit/games/turn-texts.test.mjs already",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_is_taken_or_is_none_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(UserError, match=re.escape(REFUSED[name])):
        new_game(name, TOP)
    assert not (TOP / "contracts/src/games" / name.replace("-", "_") / "test").exists()


def test_outside_of_a_checkout_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="in a checkout of Chainboard"):
        new_game(NAME, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_ends_with_a_sentence(checkout: Path) -> None:
    done = run_in(checkout, "chainboard", "new-game", NAME)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "chainboard: 'connect-four' can't be used as a game's name: a contract named ConnectFour already exists"
    )
    assert done.stderr.count("\n") == 1
