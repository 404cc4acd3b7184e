"""Messages from server to client: a closed set, each serialized once, as the text frame that all clients get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import orjson

from api.net.websocket_protocol import text_frame
from api.problems import Rejection
from api.shapes import blocks
from indexer.model import Block, Chain, Event, Json

PROTOCOL = 1
EVERYONE = ""
LOBBY = "lobby"

Why: TypeAlias = Literal["watch", "gap", "reorg", "lag", "chain"]


@dataclass(frozen=True, slots=True)
class Message:
    """The frame of a message for all who watch `topic` (a match's name), or for EVERYONE."""

    topic: str
    frame: bytes


def hello(chain: Chain | None, tip: Block | None, development: bool) -> bytes:
    chain_id, genesis = (chain.chain_id, chain.genesis) if chain else (None, None)
    where = {"chainId": chain_id, "genesis": genesis, "head": blocks.block(tip) if tip else None}
    return _frame({"t": "hello", "protocol": PROTOCOL, **where, "development": development})


def reset(name: str, seq: int, block_ref: blocks.BlockShape, board: Json, why: Why, common: int | None = None) -> bytes:
    """The whole board. `block_ref` is the block of event `seq`; `common`, with a reorg, the last event both sides
    share."""
    shared = {} if common is None else {"common": common}
    return _frame({"t": "reset", "match": name, "seq": seq, "block": block_ref, "board": board, "why": why, **shared})


def item(event: Event, patch: Json) -> Json:
    return {"seq": event.seq, "tx": event.tx, "event": {"name": event.name, "args": event.args}, "patch": patch}


def deltas(name: str, block_ref: blocks.BlockShape, items: Sequence[Json]) -> bytes:
    """All events of one match in one block."""
    return _frame({"t": "deltas", "match": name, "block": block_ref, "items": items})


def lobby(seq: int, block_ref: bytes, patch: bytes) -> bytes:
    """A change of the lobby. Only its number differs by connection, so block and patch come serialised."""
    template = b'{"t":"deltas","match":"lobby","block":%b,"items":[{"seq":%d,"patch":%b}]}'
    return text_frame(template % (block_ref, seq, patch))


def head(tip: Block) -> bytes:
    return _frame({"t": "head", **blocks.block(tip)})


def presence(name: str, watchers: int, opener_is_here: bool, players_here: int) -> bytes:
    """How many sockets watch a match, and whether its opener and how many of its players are there, as they claim."""
    here = {"openerIsHere": opener_is_here, "playersHere": players_here}
    return _frame({"t": "presence", "match": name, "watchers": watchers, **here})


def seek(progress: Json) -> bytes:
    """Where a client's search for an opponent has come to."""
    return _frame({"t": "seek", **progress})


def emote(name: str, account: str, emote: str) -> bytes:
    """A player of the match has sent an emote."""
    return _frame({"t": "emote", "match": name, "account": account, "emote": emote})


def pong() -> bytes:
    return _frame({"t": "pong"})


def error(refusal: Rejection, match: str | None = None) -> bytes:
    """A client's message was rejected; `match` is the name in it, if there was one."""
    named = {} if match is None else {"match": match}
    return _frame({"t": "error", **refusal.words(), **named})


def _frame(value: Any) -> bytes:
    return text_frame(orjson.dumps(value))


def batches(found: Sequence[Message], max_bytes: int) -> Iterator[Sequence[Message]]:
    """The messages in batches of at most `max_bytes`; a larger message is alone."""
    begin = size = 0
    for at, message in enumerate(found):
        if at > begin and size + len(message.frame) > max_bytes:
            yield found[begin:at]
            begin, size = at, 0
        size += len(message.frame)
    if found:
        yield found[begin:]
