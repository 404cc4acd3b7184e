"""Tests that the page's tables contain a text for everything that the server sends to users:
problems, reasons for rejections, and labels. Each text has a key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from api.problems import Problem
from api.static.texts import ARGUMENT, table
from indexer.games import GAMES

TOP = Path(__file__).parents[3]
RAISED = ("Problem", "Rejection", "SponsorRejected", "MessageRejected", "RequestRejected", "NoFunds")
FILES = [file for folder in ("api", "bots", "sponsor", "chainboard") for file in (TOP / folder).rglob("*.py")]
TEXTS = {key.removeprefix("problem."): text for key, text in table("en").items() if key.startswith("problem.")}


def functions() -> Iterator[tuple[str, ast.AST]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{file.relative_to(TOP)}: {node.name}", node


def keys_of(found: ast.expr | None) -> set[str]:
    return {str(ast.literal_eval(key)) for key in found.keys if key} if isinstance(found, ast.Dict) else set()


def refusals() -> Iterator[tuple[str, str, set[str]]]:
    """For each sentence in the code, yield its place, its key and the names of its arguments."""
    for where, function in functions():
        nodes = list(ast.walk(function))
        dicts = {
            target.id: one.value
            for one in nodes
            if isinstance(one, ast.Assign | ast.AnnAssign)
            for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
            if isinstance(target, ast.Name)
        }
        for call in nodes:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in RAISED:
                own = call.args[1:] if call.func.id == "Problem" else call.args
                if not own or not isinstance(own[0], ast.Constant):
                    continue
                filled = dicts.get(own[1].id) if len(own) > 1 and isinstance(own[1], ast.Name) else own[1:] and own[1]
                named = {one.arg or "" for one in call.keywords} if call.func.id in RAISED[4:] else set()
                yield where, str(own[0].value), keys_of(filled or None) | named


def test_every_problem_has_its_text_with_its_arguments() -> None:
    found = list(refusals())
    assert len(found) > 60
    wrong = [
        (where, key, arguments)
        for where, key, arguments in found
        if key not in TEXTS or not arguments >= set(ARGUMENT.findall(TEXTS[key])) or not _is_plain(TEXTS[key])
    ]
    assert wrong == []


def _is_plain(text: str) -> bool:
    """Return True if the text has no plurals. Texts for Python must not have any, because Python
    can't choose plural forms."""
    return "{" not in ARGUMENT.sub("", text)


def test_no_text_of_a_problem_is_there_for_nothing() -> None:
    named = {
        one.value
        for file in FILES
        if file.parent.name != "openapi"
        for one in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(one, ast.Constant)
    }
    assert [key for key in TEXTS if key not in named] == []


def test_a_problem_s_key_begins_with_its_code_and_unknown_ones_do_not_exist() -> None:
    problem = Problem(404, "unknown-match.yet", {"match": "chess/9\x1b"})
    assert problem.document() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no match chess/9�, at least not yet.",
        "code": "unknown-match",
        "key": "unknown-match.yet",
        "args": {"match": "chess/9�"},
    }
    with pytest.raises(KeyError):
        Problem(404, "unknown-thing")


@pytest.mark.parametrize("slug", GAMES)
def test_every_label_has_its_text(slug: str) -> None:
    """Tests that the tables contain all labels of actions and inputs in `GET /games`. The page
    prefers a game's own text."""
    own = orjson.loads((TOP / f"frontend-static/games/{slug}/messages/en.json").read_bytes())
    known = own.keys() | table("en").keys()
    actions = GAMES[slug].actions
    inputs = [one for action in actions for one in action.inputs]
    options = {f"input.{one.name}.{value}" for one in inputs for value, label in one.options if label != str(value)}
    keys = {f"action.{one.name}" for one in actions} | {f"input.{one.name}" for one in inputs} | options
    assert [key for key in sorted(keys) if key not in known and f"{slug}.{key}" not in known] == []
