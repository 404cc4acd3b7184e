"""Builds the OpenAPI document. FastAPI derives a document from the routes, and this module adds the
problems, examples and texts."""

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
"""The possible answers of a route. The key is the HTTP status."""
REF = "#/components/schemas/{}"
ABOUT = """Board games that live on an Ethereum chain. A move is a signed transaction. A contract holds
the rules and emits events. This server follows the events, turns them into boards, and publishes
both. It decides nothing: everything here can be rebuilt from the chain, except nicknames. Accounts
sign their nicknames.

- A **match** is named `<game>/<id>`, for example `chess/7`. The contract numbers the **events**
  of each match `seq` = 1, 2, 3, … without gaps. You can request the **board** after any event.
- Integers of at most 48 bits in Solidity are JSON numbers. Larger integers are decimal strings.
  Addresses are checksummed, bytes are 0x hex, and times are seconds since 1970.
- Lists come in **pages**. Send the `next` of a page as the `cursor` (or `after`) of the following
  page. While new events arrive, nothing is skipped or repeated.
- A failed request gets a **problem document** (RFC 9457) with a `code` for programs and a sentence
  for people (`detail`). Use `key` and `args` to translate the sentence. Every route can
  also return 403 `unknown-host` and `foreign-origin`, 404 `not-found`, 405 `method-not-allowed`, 429
  `too-many-connections`, and 500 `internal-error`. (Other web pages may link to this server and
  frame its matches, but they can't send requests to it.)
- The examples show a made-up game, chess. `GET /games` lists the real games.
- The server rejects requests that repeat a parameter or have more than 50 parameters. Only `account`
  in `/nicknames` may be repeated, up to 100 times. The server ignores unknown parameters.
- Next to `/api`, there are two kinds of pages: `/m/<game>/<id>` is a link to share, and
  `/embed/<game>/<id>` is a frame for other sites (docs/how-to/write-a-client.md). Requests for the
  pictures of these pages can return 503 `busy` or `no-picture`.
- The server sends changes on the **websocket** `/ws`, next to `/api`. docs/reference/websocket.md
  describes its messages.
"""
TAGS = [
    {"name": "matches", "description": "Matches, their events, and their boards after any event."},
    {"name": "players", "description": "Players, their results and ratings."},
    {"name": "server", "description": "The server's games, contracts and state."},
    {"name": "chain", "description": "Access to the chain's node, for wallets and programs."},
]
SHAPES = (
    AbiShape, AllEventsShape, DeltasShape, EventsShape, FaucetRequest, FaucetShape, SponsorRequest, SponsoredShape,
    GamesShape, HealthShape, LeaderboardShape, ManifestShape,
    MatchesShape, MatchShape, NicknameRequest, NicknameShape, NicknamesShape,
    OpponentRequest, OpponentsShape, OpponentTakenShape, PlayerShape, ProblemShape,
    RatingsShape, ReadyShape, ReplayShape, RivalsShape, RpcAnswerShape, RpcRequestShape,
)  # fmt: skip
"""The shapes of responses and requests that have their own entries in the document. All other
shapes are parts of these shapes."""


def document(api: FastAPI) -> Json:
    """Return the whole document. Only the first call builds it."""
    if api.openapi_schema is None:
        found = get_openapi(
            title=api.title,
            version=api.version,
            summary="Matches, boards and events of board games on a chain. Anyone can verify them.",
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
    """Return the shapes of the routes that exist for only one game."""
    return [shape for module in game_modules("api.shapes") for shape in module.SHAPES]


def example(shapes: Json, schema: Json) -> Any:
    """Return the schema's own example. If the schema has none, combine its fields' examples. Leave
    out optional fields that have no example."""
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
    """Add an example to each successful answer in the document that FastAPI has built. FastAPI
    itself would remove the nulls from the examples."""
    for one in (one for verbs in paths.values() for one in verbs.values()):
        for content in one["responses"]["200"]["content"].values():
            if "example" not in content:
                content["example"] = example(shapes, content["schema"])


def ref(shape: str) -> Json:
    return {"$ref": REF.format(shape)}


def answer(shape: type, about: str) -> Answers:
    """Return a 200 response with this shape. The shape is given as JSON Schema, because FastAPI
    would build a validator from a class at startup."""
    return {200: {"description": about, "content": {"application/json": {"schema": ref(shape.__name__)}}}}


def problems(*codes: str) -> Answers:
    """Return a route's answers for the problems with these codes. The key is the HTTP status."""
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
    "retry-after": {
        "description": "the number of seconds to wait before the next attempt",
        "schema": {"type": "string"},
        "example": "1",
    }
}


def json_body(schema: Json, examples: Iterable[tuple[str, Any]]) -> Json:
    """Return the description of a JSON request body."""
    named_examples = {name: {"summary": name, "value": value} for name, value in examples}
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "examples": named_examples}},
        }
    }
