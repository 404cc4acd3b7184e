"""Reference page of the websocket, from the client messages' schema and the server's examples."""

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

ABOUT = f"""The address is `/ws`. Messages are JSON in text frames; `t` is their type. A client
message has at most {websocket.MAX_MESSAGE // 1024} KiB, and a socket watches at most
{websocket.MAX_WATCHES} matches. To maintain a board from these messages, see [Write a
client](../how-to/write-a-client.md#follow-a-board)."""

CLIENT_NOTES = f"""
`watch`: `match` is the name of a match, or `lobby` for the list of matches.
`since` is the client's last event: its number, and the hash of its block. `as` lists the accounts
for which the client watches, at most {websocket.MAX_ACCOUNTS} addresses, so that others see if a
match's opener is there. The server doesn't check or store this claim, which ends with the watch or
the socket.

`seek` queues an account for a match of `game` with `clock` seconds per move, which is one of the
game's `presets`. A socket or an account waits for one opponent at a time: a later `seek` ends the
earlier one. The account signs it (EIP-712): the domain is `Chainboard`, version `1`, with the
chain's id; the type is `{seek_requests.TYPE}`. The signature expires at `until` (seconds since
1970), at most {seek_requests.MAX_VALID_SECONDS} seconds from now. With `asks` the server asks
first, because the player is in a match with the computer meanwhile; `accept` agrees. The player
chosen to open the match opens it without a stake, invites the opponent if the game allows it, and
sends `opened`. The other player joins it and sends `unseek` with `joined`. `unseek` or closing the
socket ends the search. Nothing of this is on the chain: nobody is bound before a match is open.

`emote` sends one of {", ".join(map(code, get_args(emotes.Emote)))} to everyone who watches `match`.
The socket must watch the match, and `account` must play in it. The account signs a statement
(EIP-712) in the same domain, of the type `{emotes.TYPE}`. It is valid for all its emotes until
`until`, at most {emotes.MAX_STATEMENT_SECONDS // 3600} hours from now; the server checks it once
per socket. An account can send {emotes.BURST} emotes to a match in a row, then one every
{emotes.REFILL_SECONDS:g} seconds. The server answers the first excess emote with an error and drops
further ones silently. Emotes cost nothing and aren't stored.
"""

SERVER_MESSAGES = {
    "hello": "The first message. It comes again if the chain is suddenly another one: discard everything then.",
    "reset": "The whole board after event `seq`, with its block: the answer to `watch`, and the fallback when patches "
    "aren't enough. `common` comes with a reorg: the last event that both boards share.",
    "deltas": "The events of one match in one block, each with its JSON Merge Patch (RFC 7396) for the board. Items of "
    "`lobby` have only `seq` and `patch`.",
    "head": "The index has reached this block.",
    "presence": "The number of sockets that watch a match. `openerIsHere`: true if one of these sockets, or of the "
    "lobby's, claims to watch for the match's opener. `playersHere`: the number of players, including the opener, for "
    "whom sockets claim to watch. Watchers get it after `watch` and after a change, at most once per second. A client "
    "that answers no ping for two seconds doesn't count. Rows of open matches in `lobby` have `openerIsHere` as "
    "`attended`.",
    "seek": "The state of the client's search for an opponent. `waiting`: nobody has been found yet; `why` is the "
    "reason for waiting again, and `asked` the player whom the server asks. `asked`: would this player play with "
    "`rival`? `opening`: two players are paired; the one with `opens` opens the match. `opened`: the match exists. "
    "`ended`: the search is over, for the reason in `why`.",
    "emote": "A player of the match, `account`, has sent an emote. All watchers of the match get it, including the "
    "sender. Clients ignore emotes that they don't know.",
    "pong": "The answer to `ping`.",
    "error": "The server can't do what the client requested. `match` is the name in the request, if it had one; `key` "
    "and `args` are as in a problem document. The socket stays open.",
}

CLOSED = {
    1009: f"a client message has more than {websocket.MAX_MESSAGE // 1024} KiB",
    1011: "the server failed; its log has the details",
    1012: "the server is restarting: reconnect immediately with `since`; behind a proxy another server answers",
    1013: f"the client is too slow: more than {send_queue.MAX_BUFFERED // 1024} KiB wait for it, and as much is being "
    "sent. It gets one `reset` per match instead of the backlog, and should reconnect",
}

BLOCK = Block(12, "0x" + "ab" * 32, "0x" + "aa" * 32, 1_700_000_000)
MOVED = Event("tic-tac-toe", 7, 3, "Moved", {"row": 0}, 12, BLOCK.hash, BLOCK.time, "0x" + "cd" * 32, 0)


def live() -> str:
    text = page("The websocket", ABOUT) + "\n## Client messages\n"
    shapes = [one for one in websocket.CLIENT_MESSAGE.json_schema()["$defs"].values() if "t" in one["properties"]]
    text += table(("`t`", "with"), [(code(one["properties"]["t"]["const"]), ", ".join(_fields(one))) for one in shapes])
    text += CLIENT_NOTES + "\n## Server messages\n"
    for frame in _examples():
        message = _payload(frame)
        text += f"\n### `{message['t']}`\n\n{SERVER_MESSAGES[message['t']]}\n\n```json\n{json.dumps(message)}\n```\n"
    text += f"\nThe values of `why` are {', '.join(map(code, get_args(messages.Why)))}.\n"
    codes = sorted({str(key).partition(".")[0] for key in _firsts(websocket.MessageRejected.__name__)})
    text += f"The values of `state` are {', '.join(map(code, get_args(seeks.State)))}; those of a seek's `why` are "
    text += f"{', '.join(map(code, get_args(seeks.Why)))}.\n"
    text += f"The values of an error's `code` are {', '.join(map(code, codes))}.\n\n## Close codes\n"
    closes = _firsts("close", send_queue.Close.__name__)
    return text + table(("code", "reason"), [(str(number), CLOSED[number]) for number in closes])


def _fields(shape: Json) -> Iterator[str]:
    for name in shape["properties"]:
        if name != "t":
            yield code(name) + ("" if name in shape["required"] else " (optional)")


def _examples() -> Iterator[bytes]:
    """One example of each message, from the functions that create them."""
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
    """Constant first arguments of these calls in the websocket's source."""
    calls = [
        one for one in ast.walk(ast.parse(Path(websocket.__file__).read_text("utf-8"))) if isinstance(one, ast.Call)
    ]
    named = [one for one in calls if ast.unparse(one.func).rpartition(".")[2] in names]
    return sorted({one.args[0].value for one in named if one.args and isinstance(one.args[0], ast.Constant)})
