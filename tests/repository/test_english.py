"""Tests that the project's prose is plain English: short sentences, no misspelt words, and no
constructions that readers have to decode.

The rules are in docs/style.md, and the patterns are in `constructions.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.constructions import CONSTRUCTIONS, Construction
from tests.repository.prose import passages, sentences

TOP = Path(__file__).parents[2]
MOST_WORDS, WIDTH = 35, 100
SUFFIXES = (".py", ".js", ".mjs", ".sol", ".css", ".md", "messages/en.json")
FOREIGN = (
    *("contracts/vendor/", "tests/fixtures/", "docs/reference/", "THIRD-PARTY.md"),
    *("docs/style.md", "tests/repository/constructions.py"),
)
"""The files that the tests skip: files from third parties, recorded files, generated files, and
files that quote forbidden words."""
LISTED = subprocess.check_output(["git", "ls-files"], cwd=TOP, text=True).splitlines()
FILES = [name for name in LISTED if name.endswith(SUFFIXES) and not name.startswith(FOREIGN) and (TOP / name).exists()]


def folder_of(name: str) -> str:
    return name.partition("/")[0] if "/" in name else "."


FOLDERS = sorted({folder_of(name) for name in FILES})


def in_folder(folder: str) -> Iterator[str]:
    return (name for name in FILES if folder_of(name) == folder)


def findings(name: str) -> Iterator[str]:
    """Yield one line of text for each long sentence and each forbidden construction in a file's
    prose."""
    for line, kind, text in passages(TOP / name):
        if kind == "message" and name.startswith("tests/"):
            continue  # the tests' string literals are test data, not prose
        for sentence in sentences(text):
            if kind != "message" and len(sentence.split()) > MOST_WORDS:
                yield f"{name}:{line}: {len(sentence.split())} words: {sentence}"
            for construction in CONSTRUCTIONS:
                if construction.is_in(kind, sentence):
                    yield f"{name}:{line}: {construction.name}: {sentence}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_sentences_are_short_and_plain(folder: str) -> None:
    found = [one for name in in_folder(folder) for one in findings(name)]
    assert not found, "\n".join(found)


def wide_lines(name: str) -> Iterator[str]:
    """Yield the lines of prose that are too wide: more than 160 characters in the changelog, and
    more than WIDTH in other files.

    JSDoc types, JSDoc tags, links and tables don't count. Ruff checks the width of Python files."""
    width = 160 if name == "CHANGELOG.md" else WIDTH
    fenced = False
    for number, line in enumerate((TOP / name).read_text("utf-8").split("\n"), 1):
        if name.endswith(".md"):
            fenced ^= line.lstrip().startswith("```")
            is_prose = not fenced and not line.startswith(("|", "    ", "[", "!["))
        else:
            is_prose = re.match(r"\s*(/\*|\*|//)", line) is not None
            line = re.split(r"\s@(?!dev|notice)\w+|[{}]|\w\?: \w|\w: (?:string|number|bigint|[A-Z]\w*)\b", line)[0]
        if is_prose and len(line) > width and " " in line[:width].strip():
            yield f"{name}:{number}: {len(line)} columns"


@pytest.mark.parametrize("folder", FOLDERS)
def test_lines_of_prose_are_narrow(folder: str) -> None:
    found = [one for name in in_folder(folder) if not name.endswith((".json", ".py")) for one in wide_lines(name)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("construction", CONSTRUCTIONS, ids=lambda construction: construction.name)
def test_a_construction_is_found_and_plain_english_is_left_alone(construction: Construction) -> None:
    kind = next(iter(construction.kinds), "page")
    assert any(construction.is_in(kind, sentence) for sentence in sentences(construction.matching_example))
    assert not any(construction.is_in(kind, sentence) for sentence in sentences(construction.allowed_example))


def test_words_are_spelt_right() -> None:
    """Tests the spelling with codespell. Its list of words to ignore is in pyproject.toml."""
    found = subprocess.run(
        [sys.executable, "-m", "codespell_lib", *FILES], cwd=TOP, capture_output=True, text=True, timeout=300
    )
    assert found.returncode == 0, found.stdout + found.stderr
