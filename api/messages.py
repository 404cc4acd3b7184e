"""What the server says on a socket: a closed set, each made and serialised in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import orjson

from api import wire
from indexer.model import Block, Chain, Event, Json

PROTOCOL = 1
EVERYONE = ""

Why: TypeAlias = Literal["watch", "gap", "reorg", "lag", "chain"]


@dataclass(frozen=True, slots=True)
class Message:
    """A serialised message for all who watch `topic` (a match's name), or for EVERYONE."""

    topic: str
    text: str


def hello(chain: Chain | None, tip: Block | None, development: bool) -> str:
    chain_id, genesis = (chain.chain_id, chain.genesis) if chain else (None, None)
    where = {"chainId": chain_id, "genesis": genesis, "head": wire.block(tip) if tip else None}
    return text({"t": "hello", "protocol": PROTOCOL, **where, "development": development})


def reset(name: str, seq: int, place: Json, board: Json, why: Why, common: int | None = None) -> str:
    """The whole board. `place` is the block of event `seq`; `common`, with a reorg, the last event both sides share."""
    shared = {} if common is None else {"common": common}
    return text({"t": "reset", "match": name, "seq": seq, "block": place, "board": board, "why": why, **shared})


def item(event: Event, patch: Json) -> Json:
    return {"seq": event.seq, "tx": event.tx, "event": {"name": event.name, "args": event.args}, "patch": patch}


def deltas(name: str, place: Json, items: Sequence[Json]) -> str:
    """All events of one match in one block."""
    return text({"t": "deltas", "match": name, "block": place, "items": items})


def head(tip: Block) -> str:
    return text({"t": "head", **wire.block(tip)})


def pong() -> str:
    return text({"t": "pong"})


def error(code: str, detail: str, match: str | None = None) -> str:
    """What a client said can't be done; `match` is the name it said, where it said one."""
    named = {} if match is None else {"match": match}
    return text({"t": "error", "code": code, "detail": detail, **named})


def text(value: Any) -> str:
    return orjson.dumps(value).decode()
