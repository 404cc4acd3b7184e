"""All messages from the server to clients. Each message is serialized once, and all its recipients
get the same text frame."""

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

ResetReason: TypeAlias = Literal["watch", "gap", "reorg", "lag", "chain"]


@dataclass(frozen=True, slots=True)
class Message:
    """The frame of a message and its topic. The topic is the name of the match whose watchers
    receive the message, or EVERYONE for all clients."""

    topic: str
    frame: bytes


def hello(chain: Chain | None, tip: Block | None, development: bool) -> bytes:
    chain_id, genesis = (chain.chain_id, chain.genesis) if chain else (None, None)
    where = {"chainId": chain_id, "genesis": genesis, "head": blocks.block(tip) if tip else None}
    return _frame({"t": "hello", "protocol": PROTOCOL, **where, "development": development})


def reset(
    name: str, seq: int, block_ref: blocks.BlockShape, board: Json, why: ResetReason, common: int | None = None
) -> bytes:
    """Return a message with the whole board. `block_ref` is the block of event `seq`. After a
    reorg, `common` is the last event that both branches share."""
    shared = {} if common is None else {"common": common}
    return _frame({"t": "reset", "match": name, "seq": seq, "block": block_ref, "board": board, "why": why, **shared})


def item(event: Event, patch: Json) -> Json:
    return {"seq": event.seq, "tx": event.tx, "event": {"name": event.name, "args": event.args}, "patch": patch}


def deltas(name: str, block_ref: blocks.BlockShape, items: Sequence[Json]) -> bytes:
    """Return the message with a match's events from one block."""
    return _frame({"t": "deltas", "match": name, "block": block_ref, "items": items})


def lobby(seq: int, block_ref: bytes, patch: bytes) -> bytes:
    """Return a message with a change to the lobby. Only `seq` differs between clients, so the block
    and the patch are serialized before the call."""
    template = b'{"t":"deltas","match":"lobby","block":%b,"items":[{"seq":%d,"patch":%b}]}'
    return text_frame(template % (block_ref, seq, patch))


def head(tip: Block) -> bytes:
    return _frame({"t": "head", **blocks.block(tip)})


def presence(name: str, watchers: int, opener_is_here: bool, players_here: int) -> bytes:
    """Return a message about the presence at a match: the number of sockets that watch it, whether
    its opener is present, and the number of its players who are present. A player is present if a
    client claims to be that player."""
    here = {"openerIsHere": opener_is_here, "playersHere": players_here}
    return _frame({"t": "presence", "match": name, "watchers": watchers, **here})


def seek(progress: Json) -> bytes:
    """Return a message with the state of a client's search for an opponent."""
    return _frame({"t": "seek", **progress})


def emote(name: str, account: str, emote: str) -> bytes:
    """Return a message with an emote from a player in the match."""
    return _frame({"t": "emote", "match": name, "account": account, "emote": emote})


def pong() -> bytes:
    return _frame({"t": "pong"})


def error(refusal: Rejection, match: str | None = None) -> bytes:
    """Return a message that rejects a client's message. `match` is the match's name in the client's
    message, if it had one."""
    named = {} if match is None else {"match": match}
    return _frame({"t": "error", **refusal.words(), **named})


def _frame(value: Any) -> bytes:
    return text_frame(orjson.dumps(value))


def batches(found: Sequence[Message], max_bytes: int) -> Iterator[Sequence[Message]]:
    """Split the messages into batches of at most `max_bytes`. A message that is larger gets its own
    batch."""
    begin = size = 0
    for at, message in enumerate(found):
        if at > begin and size + len(message.frame) > max_bytes:
            yield found[begin:at]
            begin, size = at, 0
        size += len(message.frame)
    if found:
        yield found[begin:]
