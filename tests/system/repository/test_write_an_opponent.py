"""Tests of the computer player that docs/how-to/write-a-bot.md teaches readers to write. The
commands in the guide must print what the guide shows, also the errors for a faulty computer
player."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support.server import run

TOP = Path(__file__).parents[3]
PAGE = (TOP / "docs" / "how-to" / "write-a-bot.md").read_text("utf-8")
PROGRAM = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SESSION = "".join(re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
PROMISED = re.findall(r"^\$ chainboard (.*)\n((?:(?!\$).*\n)+)", SESSION, re.MULTILINE)


def chainboard(folder: Path, arguments: str) -> subprocess.CompletedProcess[str]:
    with contextlib.chdir(folder):
        return run(*shlex.split(arguments))


def lines(text: str) -> list[str]:
    return [line.rstrip(" ─") for line in text.splitlines() if line.strip(" ─")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (program,) = PROGRAM
    (tmp_path / "centre.py").write_text(program, "utf-8")
    return tmp_path


def test_the_opponent_plays_as_the_page_says(folder: Path) -> None:
    assert len(PROMISED) == 2
    for arguments, expected_output in PROMISED:
        done = chainboard(folder, arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert lines(done.stdout) == lines(expected_output)


def test_a_name_steers_no_terminal(folder: Path) -> None:
    (folder / "centre.py").rename(folder / "[red]c\x1b[2J.py")
    done = chainboard(folder, "arena tic-tac-toe '[red]c\x1b[2J.py' random --games 2 --seed 1")
    assert done.stdout.count("[red]c\N{REPLACEMENT CHARACTER}[2J.py") == 4


def test_a_fault_is_told_as_the_page_says(folder: Path) -> None:
    file = folder / "centre.py"
    broken = "from bots.opponent import Choice\n"
    broken += 'def choose(*_):\n    return Choice("move", {"ply": 0, "row": 3, "column": 0})\n'
    file.write_text(file.read_text("utf-8").replace("OPPONENTS =", broken + "OPPONENTS ="), "utf-8")
    done = chainboard(folder, "arena tic-tac-toe centre.py careful --games 10 --seed 1")
    (promised,) = re.findall(r"^    (A match ended with a fault: .*)$", PAGE, re.MULTILINE)
    start, middle, _ = re.split("….*?(?= returned)|…", promised)[:3]
    assert done.returncode == 0
    assert done.stderr.startswith(start)
    assert middle.removesuffix("{") in done.stderr
    assert "Traceback" not in done.stderr
    assert "and 7 more matches ended with a fault" in done.stderr
    assert re.search(r"both +0 +0 +10 ", done.stdout)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("arena chess a b", 2, "there is no game 'chess'; the games are battleship, conquest,"),
        ("arena tic-tac-toe perfct careful", 1, "no computer player 'perfct': use careful, perfect, random,"),
        ("arena tic-tac-toe centre.py:center careful", 1, "no computer player 'center': use centre, guard, random,"),
        ("arena tic-tac-toe '[red]nowhere[/].py' careful", 1, "there is no file [red]nowhere[/].py"),
        ("arena tic-tac-toe nowhere.py careful", 1, "there is no file nowhere.py"),
        ("arena tic-tac-toe careful perfect --games 0", 2, "--games': Input should be greater than or equal to 1"),
        ("arena tic-tac-toe careful", 2, "Missing argument 'B'"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(folder: Path, arguments: str, code: int, words: str) -> None:
    done = chainboard(folder, arguments)
    assert done.returncode == code
    assert words in " ".join(re.sub("[│╭╮╰╯─]", "", done.stderr).split())
