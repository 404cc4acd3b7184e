"""Tests that the table classifies each recorded error message of a node correctly. Each part of
the table's patterns must be needed for at least one of these messages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from transactions.node_errors import TABLE, classify

TEXTS = json.loads((Path(__file__).parents[1] / "fixtures/vectors/node_says.json").read_text("utf-8"))["texts"]


@pytest.mark.parametrize("said", TEXTS, ids=[f"{one['source']}: {one['text'][:40]}" for one in TEXTS])
def test_what_is_said_is_understood(said: dict[str, str]) -> None:
    assert classify(said["text"]) == said["kind"]


@pytest.mark.parametrize("part", [part for patterns in TABLE.values() for part in patterns])
def test_no_pattern_is_there_for_nothing(part: str) -> None:
    assert any(re.search(part, one["text"], re.IGNORECASE) for one in TEXTS)
