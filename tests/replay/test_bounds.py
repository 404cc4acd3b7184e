"""Tests the limits for replay files. The tests of the page (bounds.test.mjs) use the same cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay import bounds
from replay.errors import ReplayError

CASES = json.loads((Path(__file__).parents[1] / "fixtures/vectors" / "replay_bounds.json").read_text())["cases"]
MADE: dict[str, Callable[[Any], Any]] = {
    "objects inside of each other": lambda n: nested(n, lambda inner: {"inner": inner} if inner is not None else {}),
    "lists inside of each other": lambda n: nested(n, lambda inner: [inner] if inner is not None else []),
    "members of an object": lambda n: {str(i): i for i in range(n)},
    "items of a list": lambda n: list(range(n)),
    "letters": lambda n: "x" * n,
    "letters outside of the Basic Multilingual Plane": lambda n: "🚢" * n,
    "letters of a key": lambda n: {"x" * n: 1},
    "itself": lambda value: value,
}


def nested(times: int, wrapped: Callable[[Any], Any]) -> Any:
    value = None
    for _ in range(times):
        value = wrapped(value)
    return value


def fits(replay: dict[str, Any]) -> bool:
    try:
        bounds.check_bounds(replay, "it")
    except ReplayError:
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['of']} {case['made']}")
def test_python_and_the_page_agree_what_is_too_large(case: dict[str, Any]) -> None:
    value = MADE[case["made"]](case["of"])
    assert fits({"start": {}, "board": value, "events": []}) == case["fits"]


def test_a_part_is_told_by_its_place_in_few_letters() -> None:
    for board, why in (
        ({"a": {"b": 1.5}}, r"not a replay file: board\.a\.b is 1\.5, which is not a whole number below 2\^53"),
        ({"a": {"x" * 20_001: 1}}, r"a key in board\.a has 20,001 letters; the limit is 20,000"),
        ({"x" * 20_000: 1.5}, r"^.{1,200}$"),
    ):
        with pytest.raises(ReplayError, match=why):
            bounds.check_bounds({"start": {}, "board": board, "events": []}, "it")
