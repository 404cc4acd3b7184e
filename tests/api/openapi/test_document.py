"""Tests that the OpenAPI document describes every route, parameter, shape and problem, with
examples. Anybody can use the API from the document alone."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi import FastAPI

from api.chain.rpc_proxy import MAX_BATCH
from api.chain.shared_limits import RateLimits
from api.openapi.document import document as described
from api.openapi.problems import PROBLEMS
from api.post_routes import writes
from api.problems import MEDIA_TYPE
from api.routes import reads
from indexer.model import Json

API = Path(__file__).parents[3] / "api"
EVERYWHERE = {
    *("unknown-host", "foreign-origin", "not-found", "method-not-allowed", "internal-error", "too-many-connections"),
    *("busy", "no-picture"),  # the routes for pictures return these, and aren't below /api
}
"""The problems that the document lists for no route. Its introduction describes them instead."""


PAGE = {
    **{"Block": "BlockShape", "ChainEvent": "EventShape", "Summary": "SummaryShape", "Health": "HealthShape"},
    **{"GameInfo": "GameShape", "Action": "ActionShape", "Input": "InputShape", "Gas": "GasShape"},
    **{"Deposit": "PaysShape", "Deployment": "DeploymentShape"},
}
"""The document's shapes that the page reads. The keys are the page's own names for the shapes."""
TYPEDEF = re.compile(r"@typedef \{\{([^@]*?)\}\} (\w+)")
OF_THE_LOBBY = {"attended", "live", "morePlayers"}


@cache
def document() -> Json:
    parts = dict.fromkeys(("store", "games", "rpc", "faucet", "metrics", "health", "opponents", "sponsor"))
    context: Any = type("Nothing", (), {**parts, "limits": RateLimits()})()
    app = FastAPI(title="Chainboard", version="1")
    app.include_router(reads(context))
    app.include_router(writes(context))
    return described(app)


def operations() -> list[tuple[str, Json]]:
    return [(f"{verb} {path}", one) for path, verbs in document()["paths"].items() for verb, one in verbs.items()]


def shapes() -> dict[str, Json]:
    found: dict[str, Json] = document()["components"]["schemas"]
    return found


def faults(schema: Json, example: Any) -> list[str]:
    """Validate the example against the schema. Return the errors."""
    whole = {**schema, "components": document()["components"]}
    return [error.message for error in jsonschema_rs.validator_for(whole).iter_errors(example)]


each_operation = pytest.mark.parametrize("one", [pytest.param(one, id=name) for name, one in operations()])
each_shape = pytest.mark.parametrize("name", sorted(shapes()))


def test_the_document_says_what_it_is() -> None:
    info = document()["info"]
    assert all(info[key] for key in ("title", "summary", "description", "version"))
    assert info["license"]["identifier"] == "MIT"
    assert [one["url"] for one in document()["servers"]] == ["../api"]
    assert all(code in info["description"] for code in EVERYWHERE)
    assert all(one["description"] for one in document()["tags"])


@each_operation
def test_an_operation_is_described(one: Json) -> None:
    assert len(one["summary"]) > 10
    assert len(one["description"]) > len(one["summary"])
    assert one["tags"]
    assert set(one["tags"]) <= {tag["name"] for tag in document()["tags"]}
    assert re.fullmatch("[a-z][A-Za-z]+", one["operationId"])


def test_the_size_of_a_batch_is_the_one_that_is_allowed() -> None:
    assert f"a batch of at most {MAX_BATCH}." in document()["paths"]["/rpc"]["post"]["description"]


def test_the_names_of_operations_differ() -> None:
    names = [one["operationId"] for _, one in operations()]
    assert len(set(names)) == len(names)


@each_operation
def test_parameters_have_a_description_and_good_examples(one: Json) -> None:
    for parameter in one.get("parameters", []):
        schema = parameter["schema"]
        assert parameter["description"], parameter["name"]
        assert schema["examples"], parameter["name"]
        assert [faults(schema, example) for example in schema["examples"]] == [[] for _ in schema["examples"]]
        assert "anyOf" not in schema, f"{parameter['name']} can't be null in a query"


@each_operation
def test_a_body_has_good_examples(one: Json) -> None:
    for kind, content in one.get("requestBody", {}).get("content", {}).items():
        assert kind == "application/json"
        assert content["examples"]
        for example in content["examples"].values():
            assert example["summary"]
            assert faults(content["schema"], example["value"]) == []


@each_operation
def test_answers_have_good_examples(one: Json) -> None:
    good = {status: answer for status, answer in one["responses"].items() if status.startswith("2")}
    assert "200" in good
    for status, answer in good.items():
        assert answer["description"] not in ("", "Successful Response")
        assert ("content" in answer) == (status != "204")
        for content in answer.get("content", {}).values():
            assert faults(content["schema"], content["example"]) == []


@each_operation
def test_problems_have_good_examples(one: Json) -> None:
    bad = {status: answer for status, answer in one["responses"].items() if not status.startswith("2")}
    assert "503" in bad
    assert ("422" in bad) == bool(
        one.get("parameters") or one["operationId"] in ("faucet", "sponsor", "requestOpponent", "setNickname")
    )
    for status, answer in bad.items():
        assert set(answer["content"]) == {MEDIA_TYPE}
        examples = answer["content"][MEDIA_TYPE]["examples"]
        for code, example in examples.items():
            assert (example["value"]["code"], example["value"]["status"]) == (code, int(status))
            assert f"`{code}`" in answer["description"]
            assert faults(answer["content"][MEDIA_TYPE]["schema"], example["value"]) == []


@each_shape
def test_a_shape_is_described_and_has_good_examples(name: str) -> None:
    shape = shapes()[name]
    jsonschema_rs.meta.validate(shape)
    assert shape["description"]
    assert shape["examples"], f"no example can be made of {name}"
    assert [faults(shape, example) for example in shape["examples"]] == [[] for _ in shape["examples"]]
    assert [field for field, about in shape["properties"].items() if not about.get("description")] == []


def page_types() -> dict[str, dict[str, bool]]:
    """Return the fields of the page's types. Each field has the value True if it is always
    present."""
    text = (API.parent / "frontend-static/types.js").read_text("utf-8")
    found = {name: re.sub(r"\{[^}]*\}", "object", fields) for fields, name in TYPEDEF.findall(text)}
    return {name: {key: not may for key, may in re.findall(r"(\w+)(\??):", fields)} for name, fields in found.items()}


@pytest.mark.parametrize("name", PAGE)
def test_the_page_reads_what_a_shape_has(name: str) -> None:
    fields, shape = page_types()[name], shapes()[PAGE[name]]
    assert set(fields) - OF_THE_LOBBY <= set(shape["properties"])
    assert {field for field, always in fields.items() if always} <= set(shape["required"])


def test_the_page_knows_all_of_a_summary() -> None:
    assert set(page_types()["Summary"]) - OF_THE_LOBBY == set(shapes()["SummaryShape"]["properties"])


def test_no_problem_is_left_over() -> None:
    told = {code for _, one in operations() for answer in one["responses"].values() for code in codes(answer)}
    assert set(PROBLEMS) == told | EVERYWHERE


def codes(answer: Json) -> set[str]:
    return set(answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {}))


def test_every_problem_of_the_code_is_told() -> None:
    """Tests that the document lists every problem that the server can return, and the problem's
    HTTP status."""
    text = "".join(path.read_text("utf-8") for path in API.rglob("*.py") if path.parent.name != "openapi")
    found = {(int(status), code) for status, code in re.findall(r'Problem\(\s*(\d{3}), "([a-z-]+)[".]', text)}
    assert len(found) > 12
    assert found <= {(one.status, one.code) for one in PROBLEMS.values()}
