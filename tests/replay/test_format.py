"""Tests that the schema of replay files agrees with the server's code, with a real file, and with
the pages that document the format."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic import TypeAdapter

from api.shapes.replay import ReplayShape
from indexer.model import Json
from tests.replay.recorded_replays import MATCHES, RecordedMatches, recorded

TOP = Path(__file__).parents[2]
SCHEMA: Json = json.loads((TOP / "docs" / "replay.schema.json").read_text("utf-8"))
PAGE = (TOP / "docs" / "explanation" / "trust.md").read_text("utf-8")
REFERENCE = (TOP / "docs" / "reference" / "replay.md").read_text("utf-8")


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedMatches]:
    with recorded(tmp_path_factory.mktemp("format")) as found:
        yield found


def fields(schema: Json, whole: Json, path: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the path of each field in the schema, and True if the field is required. Follow the
    schema's references."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "items" in schema:
        yield from fields(schema["items"], whole, f"{path}[]")
    for name, inner in schema.get("properties", {}).items():
        yield f"{path}.{name}", name in schema["required"]
        yield from fields(inner, whole, f"{path}.{name}")


def test_the_schema_has_the_fields_of_the_shape() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    shape = TypeAdapter(ReplayShape).json_schema()
    told, made = dict(fields(SCHEMA, SCHEMA)), dict(fields(shape, shape))
    assert len(told) > 20
    assert told == made
    assert all(must for must in told.values())


@pytest.mark.parametrize("match", MATCHES)
def test_a_file_that_was_given_out_fits_both(it: RecordedMatches, match: str) -> None:
    jsonschema_rs.validate(SCHEMA, it.replay(match))
    TypeAdapter(ReplayShape).validate_json(it.text(match), strict=True)


def test_the_schema_refuses_what_is_none(it: RecordedMatches) -> None:
    replay = it.replay("tic-tac-toe/1")
    for path, value in (
        (("version",), 2),
        (("match",), "tic-tac-toe/0"),
        (("game", "title"), "x" * 61),
        (("chain", "chainId"), "31337"),
        (("events", 0, "hash"), "0x12"),
        (("events", 0, "more"), 1),
        (("deployment", "endMatch"), 7),
    ):
        altered: Any = copy.deepcopy(replay)
        inner = altered
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        assert not jsonschema_rs.is_valid(SCHEMA, altered), path


def test_every_field_is_explained() -> None:
    explained = dict(re.findall(r"^\| `([\w.\[\]]+)` \| ([^|]+) \|", REFERENCE, re.MULTILINE))
    told = {path.replace("[]", "").lstrip(".") for path, _must in fields(SCHEMA, SCHEMA)}
    assert {path.replace("[]", "") for path in explained} == told
