"""The page of the websocket's messages: what a client says, from its schema; what the server says, as it says it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from api.live import emotes, messages, seek_requests, seeks, send_queue, websocket
from api.problems import Rejection
from api.shapes.blocks import block
from docs.reference.markdown import code, page, table
from indexer.model import Block, Chain, Event, Json

ABOUT = f"""At `/ws`. Messages are JSON in text frames, told apart by `t`. A client's message has at most
{websocket.MAX_MESSAGE // 1024} KiB, and a socket watches at most {websocket.MAX_WATCHES} matches. How a board is kept
by them is in [Write a client](../how-to/write-a-client.md#follow-a-board)."""

CLIENT_NOTES = f"""
`match` is a match's name, or `lobby` for the list of matches. `since` is the last event that the client has: its
number, and the hash of its block. `as` names the accounts for which the client watches, at most
{websocket.MAX_ACCOUNTS} addresses: so that others see whether a match's opener is there. It is a claim that nobody
checks, a hint and no more; it is stored nowhere, and ends with the watch or the socket.

`seek` puts an account into the queue of those who want to play `game` with `clock` seconds for a move, one of the
game's `presets`. A socket waits for one opponent, and so does an account: a later `seek` ends the earlier one. The
account signs it (EIP-712): the domain is `Chainboard`, version `1`, with the chain's id, and the type is
`{seek_requests.TYPE}`. `until`, in seconds since 1970, is the end of the signature's validity, at most
{seek_requests.MAX_VALID_SECONDS} seconds from now. With `asks` the player is asked first, because they are playing a
computer meanwhile: `accept` says yes. Who is to open the match opens it without a stake, inviting the rival where the
game allows that, and says `opened`; the other one joins it, and says `unseek` with `joined`. `unseek` ends the
search, and so does the end of the socket. The chain knows nothing of this: nobody is bound before a match is open.

`emote` sends one of {", ".join(map(code, get_args(emotes.Emote)))} to all who watch `match`. The socket watches the
match, and `account` plays in it. The account signs a statement (EIP-712) in the same domain, of the type
`{emotes.TYPE}`: it holds for all its emotes until `until`, at most {emotes.MAX_STATEMENT_SECONDS // 3600} hours from
now, and the server checks it once per socket. An account sends at most {emotes.BURST} emotes at once to a match, then
one every {emotes.REFILL_SECONDS:g} seconds. The first one too many is answered by an error; the server drops the next
ones silently. Emotes cost nothing, and nobody keeps them.
"""

SERVER_MESSAGES = {
    "hello": "First of all; again when the chain is another one suddenly: forget everything then.",
    "reset": "The whole board after event `seq`, with its block: the answer to `watch`, and when patches can't lead "
    "on. `common` comes with a reorg: the last event that both boards share.",
    "deltas": "The events of one match in one block, each with the JSON Merge Patch (RFC 7396) that it makes of the "
    "board. Items of `lobby` have `seq` and `patch` alone.",
    "head": "The index has come up to this block.",
    "presence": "How many sockets watch a match. `openerIsHere`: whether one of them, or of the lobby's, says that it "
    "watches for its opener. `playersHere`: for how many players they say so; the opener is one. For those who watch "
    "the match: after `watch`, and when it changes, at most once a second. A client that answers no ping for two "
    "seconds is left out. Rows of open matches in `lobby` have `openerIsHere` as `attended`.",
    "seek": "Where the client's search for an opponent has come to. `waiting`: nobody has been found yet; `why` says "
    "why it waits again, and `asked` whom the server asks. `asked`: would it play with `rival`? `opening`: the two are "
    "paired, and who `opens` opens the match. `opened`: the match is there. `ended`: the search is over, and `why` "
    "says why.",
    "emote": "A player of the match, `account`, has sent an emote. For those who watch the match, the sender included. "
    "Clients pass over an `emote` that they don't know.",
    "pong": "The answer to `ping`.",
    "error": "What the client said can't be done; `match` is the name that it said, if it said one; "
    "`key` and `args` are as in a problem document. The socket "
    "stays open.",
}

CLOSED = {
    1009: f"a message of the client has more than {websocket.MAX_MESSAGE // 1024} KiB",
    1011: "the server failed; its log says more",
    1012: "the server is restarting: connect again at once, with `since`; behind a proxy another one answers",
    1013: f"the client can't keep up: more than {send_queue.MAX_BUFFERED // 1024} KiB wait for it, and as much is on "
    "the way. It is sent one `reset` for each match in place of its backlog, and is to connect again",
}

BLOCK = Block(12, "0x" + "ab" * 32, "0x" + "aa" * 32, 1_700_000_000)
MOVED = Event("tic-tac-toe", 7, 3, "Moved", {"row": 0}, 12, BLOCK.hash, BLOCK.time, "0x" + "cd" * 32, 0)


def live() -> str:
    text = page("The websocket", ABOUT) + "\n## What a client says\n"
    shapes = [one for one in websocket.CLIENT_MESSAGE.json_schema()["$defs"].values() if "t" in one["properties"]]
    text += table(("`t`", "with"), [(code(one["properties"]["t"]["const"]), ", ".join(_fields(one))) for one in shapes])
    text += CLIENT_NOTES + "\n## What the server says\n"
    for frame in _examples():
        message = _payload(frame)
        text += f"\n### `{message['t']}`\n\n{SERVER_MESSAGES[message['t']]}\n\n```json\n{json.dumps(message)}\n```\n"
    text += f"\nThe values of `why` are {', '.join(map(code, get_args(messages.Why)))}.\n"
    codes = sorted({str(key).partition(".")[0] for key in _firsts(websocket.MessageRejected.__name__)})
    text += f"The values of `state` are {', '.join(map(code, get_args(seeks.State)))}; those of a seek's `why` are "
    text += f"{', '.join(map(code, get_args(seeks.Why)))}.\n"
    text += f"The values of an error's `code` are {', '.join(map(code, codes))}.\n\n## Why a socket is closed\n"
    closes = _firsts("close", send_queue.Close.__name__)
    return text + table(("code", "because"), [(str(number), CLOSED[number]) for number in closes])


def _fields(shape: Json) -> Iterator[str]:
    for name in shape["properties"]:
        if name != "t":
            yield code(name) + ("" if name in shape["required"] else ", which may be absent")


def _examples() -> Iterator[bytes]:
    """One of each message, made by what makes them."""
    block_ref = block(BLOCK)
    yield messages.hello(Chain(31337, "0x" + "00" * 32), BLOCK, True)
    yield messages.reset("tic-tac-toe/7", 3, block_ref, {"status": "playing"}, "reorg", 2)
    yield messages.deltas("tic-tac-toe/7", block_ref, [messages.item(MOVED, {"cells": {"0": 1}})])
    yield messages.head(BLOCK)
    yield messages.presence("tic-tac-toe/7", 3, True, 2)
    paired = {"game": "tic-tac-toe", "clock": 600, "rival": "0x" + "Ab" * 20, "opens": False}
    yield messages.seek({"state": "opened", **paired, "match": "tic-tac-toe/7"})
    yield messages.emote("tic-tac-toe/7", "0x" + "Ab" * 20, "well-played")
    yield messages.pong()
    yield messages.error(Rejection("unknown-match.yet", {"match": "chess/9"}), "chess/9")


def _payload(frame: bytes) -> Json:
    found: Json = json.loads(frame[{126: 4, 127: 10}.get(frame[1], 2) :])
    return found


def _firsts(*names: str) -> list[Any]:
    """The first arguments of these calls in the websocket's source, where they are constants."""
    calls = [
        one for one in ast.walk(ast.parse(Path(websocket.__file__).read_text("utf-8"))) if isinstance(one, ast.Call)
    ]
    named = [one for one in calls if ast.unparse(one.func).rpartition(".")[2] in names]
    return sorted({one.args[0].value for one in named if one.args and isinstance(one.args[0], ast.Constant)})
