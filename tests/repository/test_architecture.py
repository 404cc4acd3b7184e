"""Tests that all files and names in docs/explanation/architecture.md exist, and that the entries in
its glossary are short."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "explanation" / "architecture.md").read_text("utf-8")
FILE = r"`((?:\w[\w.-]*/)+[\w.-]+\.(?:py|js|sol|mjs|json|toml)|\w[\w.-]*\.(?:toml|js))`"
NAMES = re.compile(FILE + r"(?:: ((?:`[\w.]+`(?:, )?)+))?")
"""A pattern that matches a file's path and, if they follow, the names that the file defines. For
example, it matches `path`: `Class.method`, `function`."""
MOST_WORDS = 40


def listed_names() -> list[tuple[str, str]]:
    """Return pairs of a file and a name that the architecture page mentions. If the page mentions a
    file without names, the file gets one pair, with the name ""."""
    found = set()
    for file, names in NAMES.findall(PAGE):
        if "/" in file or (TOP / file).exists():
            found |= {(file, name) for name in re.findall(r"[\w.]+", names) or [""]}
    return sorted(found)


@cache
def defined_names(file: str) -> frozenset[str]:
    source = (TOP / file).read_text("utf-8")
    if file.endswith(".py"):
        return frozenset(python_names(ast.parse(source).body, ""))
    keyword = r"(?:function|class|const|let|interface|contract|library|event|error)"
    named = re.findall(rf"^(?: {{4}})?(?:export |abstract |async )*{keyword}\*? (\w+)", source, re.MULTILINE)
    typed = re.findall(r"^ \* @typedef (?:(?!@typedef)[\s\S])*?\} ?(\w+)(?= |$)", source, re.MULTILINE)
    return frozenset([*named, *typed])


def python_names(body: list[ast.stmt], prefix: str) -> list[str]:
    found = []
    for one in body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(prefix + one.name)
            found += python_names(one.body, f"{prefix}{one.name}.") if isinstance(one, ast.ClassDef) else []
        elif isinstance(one, ast.Assign | ast.AnnAssign):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found += [prefix + name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return found


def folders() -> list[str]:
    """Return the folders in the architecture page's two tables. Folders in the second table get the
    prefix `frontend-static/`."""
    first, _, second = PAGE.partition("## The page\n")
    row = re.compile(r"^\| `([\w/-]+/)` \|", re.MULTILINE)
    return [*row.findall(first), *(f"frontend-static/{name}" for name in row.findall(second))]


def test_page_names_many_files() -> None:
    assert len(listed_names()) > 80
    assert len(folders()) > 30


@pytest.mark.parametrize(("file", "name"), listed_names())
def test_named_files_and_definitions_exist(file: str, name: str) -> None:
    assert (TOP / file).is_file()
    assert not name or name in defined_names(file), f"{file} has no {name}"


@pytest.mark.parametrize("folder", folders())
def test_named_folders_exist(folder: str) -> None:
    assert (TOP / folder).is_dir()


def test_every_folder_of_the_product_is_in_it() -> None:
    top = [f"{name}/" for name in ("contracts", "transactions", "bots", "sponsor", "replay", "chaos")]
    inner = [
        f"{path.parent.relative_to(TOP)}/"
        for name in ("indexer", "api", "chainboard")
        for path in (TOP / name).glob("*/__init__.py")
    ]
    assert {*top, *inner} <= set(folders())


def test_glossary_is_short_and_each_word_is_in_the_code() -> None:
    words = PAGE.partition("## Words\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in words.splitlines() if line.startswith("| ")][1:]
    assert 20 < len(rows) <= MOST_WORDS
    assert len({row[0] for row in rows}) == len(rows)
    assert all(NAMES.fullmatch(row[-1]) for row in rows)
