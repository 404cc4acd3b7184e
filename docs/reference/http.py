"""Generates the reference page for the HTTP API from the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from api.chain.shared_limits import RateLimits
from api.openapi.document import document
from api.openapi.problems import PROBLEMS
from api.post_routes import writes
from api.routes import reads
from docs.reference.markdown import code, page, table
from indexer.model import Json


def http() -> str:
    found = _document()
    text = page(
        "HTTP", "Every server also publishes this page as an OpenAPI document with examples: `/api/openapi.json`."
    )
    text += f"\n{found['info']['description']}"
    for tag in found["tags"]:
        text += f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n"
        for path, verbs in found["paths"].items():
            text += "".join(_operation(verb, path, one) for verb, one in verbs.items() if tag["name"] in one["tags"])
    problems = [(code(name), str(one.status), one.detail) for name, one in sorted(PROBLEMS.items())]
    text += "\n## Problems\n" + table(("code", "status", "example"), problems) + "\n## Shapes\n"
    for name, shape in sorted(found["components"]["schemas"].items()):
        fields = [(code(key), _type(one), one.get("description", "")) for key, one in shape["properties"].items()]
        text += f"\n### {name}\n\n{' '.join(shape['description'].split())}\n" + table(
            ("field", "type", "meaning"), fields
        )
    return text


def _document() -> Json:
    """Return the OpenAPI document. No server is needed, because the document only describes the
    routes."""
    names = ("store", "games", "rpc", "faucet", "metrics", "health", "opponents", "sponsor")
    nothing: Any = type("Nothing", (), {**dict.fromkeys(names), "limits": RateLimits()})()
    api = FastAPI(title="Chainboard", version="1")
    api.include_router(reads(nothing))
    api.include_router(writes(nothing))
    return document(api)


def _operation(verb: str, path: str, one: Json) -> str:
    text = f"\n### `{verb.upper()} /api{path}`\n\n{one['description']}\n"
    parameters = [(code(each["name"]), _type(each["schema"]), _meaning(each)) for each in one.get("parameters", [])]
    text += table(("parameter", "type", "meaning"), parameters)
    if "requestBody" in one:
        text += f"\nBody: {_type(one['requestBody']['content']['application/json']['schema'])}.\n"
    return text + "\n" + "\n".join(_answers(one["responses"])) + "\n"


def _meaning(parameter: Json) -> str:
    """Return a parameter's description, with its default if it has one."""
    schema = parameter["schema"]
    found = str(parameter.get("description", schema.get("description", "")))
    return (
        f"{found} (default: {code(json.dumps(schema['default']))})"
        if schema.get("default") not in (None, [])
        else found
    )


def _answers(responses: dict[Any, Json]) -> Iterator[str]:
    for status, answer in sorted(responses.items(), key=lambda one: int(one[0])):
        kinds = [
            _type(content["schema"]) if kind == "application/json" else code(kind)
            for kind, content in answer.get("content", {}).items()
            if "problem" not in kind
        ]
        yield f"- {status}: {', '.join([*kinds, answer['description']])}"


def _type(schema: Json) -> str:
    """Return a short description of the values that a JSON Schema allows."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[several]))
    if "const" in schema or "enum" in schema:
        return ", ".join(code(one) for one in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
