"""Checks how the other tests wait. They must use the functions in tests/support/waiting.py and must
not sleep for a fixed time. Their deadlines must be long enough for a busy machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE_MS, PATIENCE_SECONDS

TOP = Path(__file__).parents[2]
LEAST_SECONDS, LEAST_MS = 60, 60_000
TAKE_SECONDS = {"timeout", "wait", "join", "settimeout"}
"""Functions whose first argument is a timeout in seconds."""
TAKE_MS = {"set_default_timeout", "set_default_navigation_timeout"}
OF_A_PAGE = ("to_", "not_to_", "wait_for_", "click", "dblclick", "fill", "goto", "inner_text", "set_options", "expect_")
"""The prefixes of the names of Playwright functions that take a `timeout` in milliseconds."""
ALLOWED = {
    "tests/indexer/follow/test_requests.py": "no request is sent in the meantime: a poll each second would show",
    "tests/system/browser/chain/test_transactions.py": "the answer to a request arrives late",
    "tests/system/browser/conftest.py": "the output about the page of a failed test",
    "tests/system/browser/games/test_touche_coule.py": "a button that might already be gone",
    "tests/system/browser/lobby/test_opponents.py": "a button that might already be gone",
    "tests/system/chain/operator_site.py": "the time between two Ctrl-C, because the first might be missed",
    "tests/system/chain/test_deployment.py": "a node that answers later than the client's own timeout",
    "tests/system/chain/test_miner.py": "no block is mined in the meantime",
    "tests/system/commands/test_server_limits.py": "a server that has no file descriptor for another connection",
    "tests/system/deploy/test_nginx.py": "the pace of visitors and moves, until an event ends them",
    "tests/system/gateways/test_serve.py": "no request is sent in the meantime",
    "tests/system/opponents/visitor.py": "a rejected move changes no board, so the visitor continues after two seconds",
    "tests/system/postgresql/test_writer.py": "the pace of a copy, during which the writer sends a notification",
}
"""The files that may wait for a fixed time, each with the reason."""
FILES = sorted(
    path
    for path in (TOP / "tests").rglob("*.py")
    if not path.is_relative_to(TOP / "tests/contracts") and path != TOP / "tests/support/waiting.py"
)
"""The files to check. The tests of contracts aren't checked, because they have their own waiting
functions."""


def number(node: ast.expr | None, names: Mapping[str, float]) -> float | None:
    """Return the value of an expression made of numbers, names of module constants, and products of
    these. Return None for other expressions."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        factors = number(node.left, names), number(node.right, names)
        return None if None in factors else factors[0] * factors[1]  # type: ignore[operator]
    return None


def constants(tree: ast.Module) -> dict[str, float]:
    found: dict[str, float] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(name := node.targets[0], ast.Name):
            value = number(node.value, found)
            found |= {} if value is None else {name.id: value}
    return found


def hasty(tree: ast.Module) -> Iterator[str]:
    """Yield two kinds of calls in a test: those that sleep for a fixed time, and those whose
    timeout is less than a minute."""
    names = constants(tree)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        first = number(call.args[0], names) if call.args else None
        second = number(call.args[1], names) if len(call.args) > 1 else None
        [timeout] = [number(one.value, names) for one in call.keywords if one.arg == "timeout"] or [None]
        least = LEAST_MS if name.startswith(OF_A_PAGE) else LEAST_SECONDS
        if (
            (name == "sleep" and first)
            or (timeout is not None and timeout < least)
            or (name in TAKE_SECONDS and first is not None and first < LEAST_SECONDS)
            or (name in TAKE_MS and first is not None and first < LEAST_MS)
            or (name == "wait_for" and second is not None and second < LEAST_SECONDS)
        ):
            yield f"{call.lineno}: {ast.unparse(call)}"


def test_no_test_waits_for_a_fixed_time_or_for_less_than_a_minute() -> None:
    found = {
        str(path.relative_to(TOP)): calls for path in FILES if (calls := [*hasty(ast.parse(path.read_text("utf-8")))])
    }
    assert {path: calls for path, calls in found.items() if path not in ALLOWED} == {}
    assert set(ALLOWED) - set(found) == set(), "these files no longer wait, so remove them from the list"


def test_helpers_that_wait_are_patient() -> None:
    assert PATIENCE_SECONDS >= LEAST_SECONDS
    assert PATIENCE_MS >= LEAST_MS


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("time.sleep(0.2)", 1),
        ("async def f(): await asyncio.sleep(1.1)", 1),
        ("from time import sleep\nsleep(2 * 1)", 1),
        ("asyncio.sleep(0)", 0),
        ("asyncio.timeout(5)", 1),
        ("SOON = 5\nasyncio.timeout(SOON)", 1),
        ("asyncio.timeout(PATIENCE_SECONDS)", 0),
        ("asyncio.wait_for(task, 2)", 1),
        ("process.wait(20)", 1),
        ("thread.join(5)", 1),
        ("', '.join(words)", 0),
        ("queue.get(timeout=1)", 1),
        ("subprocess.run(command, timeout=120)", 0),
        ("@pytest.mark.timeout(30)\ndef f(): ...", 1),
        ("page.click('#a', timeout=5000)", 1),
        ("expect(page).to_have_text('a', timeout=90_000)", 0),
        ("page.set_default_timeout(30_000)", 1),
    ],
)
def test_a_hasty_call_is_found(text: str, count: int) -> None:
    assert len([*hasty(ast.parse(text))]) == count
