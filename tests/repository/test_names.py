"""Tests that no two classes in the product have the same name, and that no name contains a retired
word."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]
TYPES = re.compile(
    r"^\s*(?:export )?(?:default )?class (\w+)|"
    r"@typedef\s+\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}\s*(\w+)|@callback (\w+)",
    re.MULTILINE,
)
FUNCTIONS = re.compile(
    r"^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+) = (?:async )?\(|"
    r"^  (?:async )?(\w+)\([^()]*\) \{$",
    re.MULTILINE,
)
RETIRED_WORDS = """
anew aside bell chronicle door following moment order place proof prove proved roll shown standing tend tending
testimony told truth verdict viewed whole witness
"""
RETIRED = frozenset(RETIRED_WORDS.split())
"""Retired words, which names mustn't contain. Each retired word had several meanings, or another
term is more common."""
VAGUE_WORDS = "an_address around asked complained given heard moment moments place places said shown told"
VAGUE = frozenset(VAGUE_WORDS.split())
"""Names that are too vague for variables. Use a precise name instead, such as message, request,
stdout, limit or position."""
BOUND = re.compile(r"\b(?:const|let) (\w+)\b|\bthis\.(\w+) = ")
SEALED = frozenset({"seal", "sealed"})
"""Words that only names for Battleship's secret fleets may contain."""
PROMISED = {"StandingShape"}
"""Class names that contain a retired word but can't change, because they are public in the OpenAPI
document."""
OWN = {"Uses"}
"""Class names that several modules may define. For example, each JavaScript module of the page may
define its own type `Uses`."""


@cache
def sources() -> dict[str, str]:
    """Map the path of each of the product's modules to the module's source code. Leave out tests,
    benchmarks and vendored files."""
    listed = subprocess.run(["git", "ls-files", "*.py", "*.js", "*.mjs"], cwd=TOP, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().splitlines() if (TOP / name).exists()]
    found = [name for name in names if not re.match(r"tests/|bench/|.*/(?:vendor|versions)/", name)]
    return {name: (TOP / name).read_text("utf-8") for name in found}


@cache
def nodes_of(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def classes(name: str, source: str) -> list[str]:
    """Return the names of the classes in a Python module, or of the classes and types in a
    JavaScript module."""
    if name.endswith(".py"):
        return [one.name for one in nodes_of(source) if isinstance(one, ast.ClassDef)]
    return _named(TYPES, source)


def functions(name: str, source: str) -> list[str]:
    if name.endswith(".py"):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return [one.name for one in nodes_of(source) if isinstance(one, kinds)]
    return _named(FUNCTIONS, source)


def variables(name: str, source: str) -> list[str]:
    """Return the names of a module's variables and attributes. In Python, also return the names of
    parameters."""
    if not name.endswith(".py"):
        return _named(BOUND, source)
    nodes = nodes_of(source)
    stored = [one for one in nodes if isinstance(getattr(one, "ctx", None), ast.Store)]
    names = [one.id if isinstance(one, ast.Name) else getattr(one, "attr", "") for one in stored]
    return [*names, *(one.arg for one in nodes if isinstance(one, ast.arg))]


def _named(pattern: re.Pattern[str], source: str) -> list[str]:
    return [next(filter(None, found.groups())) for found in pattern.finditer(source)]


def duplicate_classes(modules: Mapping[str, str]) -> dict[str, list[str]]:
    """Return each class name that occurs more than once in Python or more than once in JavaScript,
    with the modules that define the class."""
    found: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for name, source in modules.items():
        for one in set(classes(name, source)) - OWN:
            found[one, name.endswith(".py")].append(name)
    return {one: where for (one, _python), where in found.items() if len(where) > 1}


def retired_words(modules: Mapping[str, str]) -> list[str]:
    """Return the modules, classes and functions whose names contain a retired word."""
    found = []
    for name, source in modules.items():
        banned = RETIRED if "battleship" in name else RETIRED | SEALED
        for one in (Path(name).stem, *classes(name, source), *functions(name, source)):
            words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", one)}
            if words & banned and one not in PROMISED:
                found.append(f"{name}: {one}")
    return found


def test_no_two_classes_share_a_name() -> None:
    assert duplicate_classes(sources()) == {}


def test_no_name_has_a_retired_word() -> None:
    assert retired_words(sources()) == []


def vague(modules: Mapping[str, str]) -> list[str]:
    return [
        f"{name}: {one}"
        for name, source in modules.items()
        for one in variables(name, source)
        if one.strip("_") in VAGUE
    ]


def test_no_variable_is_named_vaguely() -> None:
    assert vague(sources()) == []


def test_all_kinds_of_names_are_read() -> None:
    modules = sources()
    assert len({one for name, source in modules.items() for one in classes(name, source)}) > 300
    assert len({one for name, source in modules.items() for one in functions(name, source)}) > 1500
    assert len({one for name, source in modules.items() for one in variables(name, source)}) > 2500


def test_a_planted_double_and_a_planted_word_are_named() -> None:
    planted = {
        "a.py": "class Hub: ...",
        "b.py": "def f():\n    class Hub: ...",
        "c.js": "export class Tally {}\n",
        "d.js": "/** @typedef {{a: {b: number}}} Tally */\nexport const sealBlock = (hash) => hash;\n",
        "e/testimony.py": "async def show_truth(): ...\nclass ProvedFile: ...",
        "f.js": "class Past {\n  async standing(it) {\n  }\n}\n",
        "battleship/g.js": "function sealFleet() {}\nfunction tellMoment() {}\n",
    }
    assert duplicate_classes(planted) == {"Hub": ["a.py", "b.py"], "Tally": ["c.js", "d.js"]}
    assert retired_words(planted) == [
        "d.js: sealBlock",
        "e/testimony.py: testimony",
        "e/testimony.py: ProvedFile",
        "e/testimony.py: show_truth",
        "f.js: standing",
        "battleship/g.js: tellMoment",
    ]


def test_planted_variables_are_named() -> None:
    planted = {
        "a.py": "def f(given: int, *, limit: int) -> None:\n    self._told = said = given",
        "b.js": "const moment = 1;\nthis.asked = moments;\nlet request;\n",
    }
    assert sorted(vague(planted)) == ["a.py: _told", "a.py: given", "a.py: said", "b.js: asked", "b.js: moment"]
