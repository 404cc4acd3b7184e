"""The OpenAPI document: what FastAPI derives from the routes, and what it can't know: problems, examples, prose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from api.openapi.game_modules import game_modules
from api.openapi.problems import PROBLEMS
from api.problems import MEDIA_TYPE
from api.shapes.chain import (
    FaucetRequest,
    FaucetShape,
    ProblemShape,
    RpcAnswerShape,
    RpcRequestShape,
    SponsoredShape,
    SponsorRequest,
)
from api.shapes.events import AllEventsShape, DeltasShape, EventsShape
from api.shapes.games import AbiShape, GamesShape
from api.shapes.manifest import ManifestShape
from api.shapes.matches import MatchesShape, MatchShape
from api.shapes.nicknames import NicknameRequest, NicknameShape, NicknamesShape
from api.shapes.opponents import OpponentRequest, OpponentsShape, OpponentTakenShape
from api.shapes.players import LeaderboardShape, PlayerShape, RatingsShape, RivalsShape
from api.shapes.replay import ReplayShape
from api.shapes.status import HealthShape, ReadyShape
from indexer.model import Json

Answers: TypeAlias = dict[int | str, dict[str, Any]]
"""By their status."""
REF = "#/components/schemas/{}"
ABOUT = """Board games that live on an Ethereum chain. A move is a signed transaction; a contract holds the rules and
emits events; this server follows the events, folds them into boards, and gives both out. It decides nothing: everything
here can be rebuilt from the chain, except nicknames, which their accounts sign.

- A **match** is named `<game>/<id>`, as in `chess/7`. The contract numbers its **events** from 1 on (`seq`),
  without a hole. The **board** after each of them can be asked for.
- Integers of at most 48 bits in Solidity are JSON numbers, larger ones decimal strings. Addresses are checksummed,
  bytes are 0x hex, times are seconds since 1970.
- Lists come in **pages**: `next` of one is `cursor` (or `after`) of the following. While new events arrive nothing is
  skipped or repeated.
- What can't be answered is a **problem document** (RFC 9457) with a `code` for programs and a sentence for people,
  whose `key` and `args` are for translations.
  Beside those listed with each route there are 403 `unknown-host` and `foreign-origin` (other web pages may link to
  this server and frame its matches, but not use it), 404 `not-found`, 405 `method-not-allowed`, 429
  `too-many-connections`, and 500 `internal-error`.
- The examples are of a made-up game, chess; `GET /games` lists the real ones.
- The server rejects a parameter that is given twice, and more than 50 parameters. Only `account` of `/nicknames` may
  repeat, up to 100 times. The server ignores parameters that a route does not know.
- `/m/<game>/<id>` and `/embed/<game>/<id>`, beside `/api`, are pages: links to pass on, and frames
  (docs/how-to/write-a-client.md). Their pictures may be 503 `busy` or `no-picture`.
- Changes are pushed on the **websocket** `/ws`, beside `/api`: docs/reference/websocket.md has its messages.
"""
TAGS = [
    {"name": "matches", "description": "Matches, their boards at any moment, and their events."},
    {"name": "players", "description": "Who plays, and how well."},
    {"name": "server", "description": "What is served, and how the server is."},
    {"name": "chain", "description": "The way to the chain's node, for wallets and programs."},
]
SHAPES = (
    AbiShape, AllEventsShape, DeltasShape, EventsShape, FaucetRequest, FaucetShape, SponsorRequest, SponsoredShape,
    GamesShape, HealthShape, LeaderboardShape, ManifestShape,
    MatchesShape, MatchShape, NicknameRequest, NicknameShape, NicknamesShape,
    OpponentRequest, OpponentsShape, OpponentTakenShape, PlayerShape, ProblemShape,
    RatingsShape, ReadyShape, ReplayShape, RivalsShape, RpcAnswerShape, RpcRequestShape,
)  # fmt: skip
"""The shapes of responses and requests; they refer to the others."""


def document(api: FastAPI) -> Json:
    """The whole document, made once."""
    if api.openapi_schema is None:
        found = get_openapi(
            title=api.title,
            version=api.version,
            summary="Matches, boards and events of board games on a chain, as anybody can check them.",
            description=ABOUT,
            routes=api.routes,
            tags=TAGS,
            servers=[{"url": "../api", "description": "this server"}],
            license_info={"name": "MIT", "identifier": "MIT"},
        )
        adapters: list[Any] = [(one, "serialization", TypeAdapter(one)) for one in (*SHAPES, *_of_games())]
        _, described = TypeAdapter.json_schemas(adapters, ref_template=REF.format("{model}"))
        shapes: Json = described["$defs"]
        found["components"] = {"schemas": shapes}
        for name, shape in shapes.items():
            shape["examples"] = [example(shapes, ref(name))]
        _add_examples(found["paths"], shapes)
        api.openapi_schema = found
    return api.openapi_schema


def _of_games() -> list[type]:
    """Those of routes that one game alone has."""
    return [shape for module in game_modules("api.shapes") for shape in module.SHAPES]


def example(shapes: Json, schema: Json) -> Any:
    """An example of what a schema describes: its own, or one that is made of those of its fields. What may be absent
    and has none is."""
    if "examples" in schema:
        return schema["examples"][0]
    if "$ref" in schema:
        return example(shapes, shapes[schema["$ref"].removeprefix(REF.format(""))])
    if "oneOf" in schema:
        return example(shapes, schema["oneOf"][0])
    if "items" in schema:
        return [example(shapes, schema["items"])]
    return {
        name: example(shapes, one)
        for name, one in schema["properties"].items()
        if name in schema["required"] or one.keys() & {"examples", "$ref", "items"}
    }


def _add_examples(paths: Json, shapes: Json) -> None:
    """Shows an example of each good answer. FastAPI would drop what is null in one that it is given."""
    for one in (one for verbs in paths.values() for one in verbs.values()):
        for content in one["responses"]["200"]["content"].values():
            if "example" not in content:
                content["example"] = example(shapes, content["schema"])


def ref(shape: str) -> Json:
    return {"$ref": REF.format(shape)}


def answer(shape: type, about: str) -> Answers:
    """A 200 response. The shape is given as JSON Schema: from the class FastAPI would build a validator at startup."""
    return {200: {"description": about, "content": {"application/json": {"schema": ref(shape.__name__)}}}}


def problems(*codes: str) -> Answers:
    """The problem documents with these codes, as answers by their status."""
    found: Answers = {}
    for code in codes:
        one = PROBLEMS[code]
        answer = found.setdefault(
            one.status, {"description": "", "content": {MEDIA_TYPE: {"schema": ref("ProblemShape")}}}
        )
        answer["description"] = ", ".join(filter(None, (answer["description"], f"`{code}`")))
        answer["content"][MEDIA_TYPE].setdefault("examples", {})[code] = {
            "summary": one.detail,
            "value": one.document(),
        }
        if one.headers:
            answer["headers"] = {name: _HEADERS[name] for name in one.headers}
    return found


_HEADERS: Json = {
    "retry-after": {"description": "seconds to wait before the next try", "schema": {"type": "string"}, "example": "1"}
}


def json_body(schema: Json, examples: Iterable[tuple[str, Any]]) -> Json:
    """A JSON body."""
    named_examples = {name: {"summary": name, "value": value} for name, value in examples}
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "examples": named_examples}},
        }
    }
