"""Generates the reference page for the websocket from the schema of the client's messages and
examples of the server's messages."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from api.live import emotes, lobby, messages, seek_requests, seeks, send_queue, websocket
from api.net.websocket_protocol import MAX_FRAGMENTS
from api.problems import Rejection
from api.shapes.blocks import block
from docs.reference.markdown import code, page, table
from indexer.model import Block, Chain, Event, Json

INTRODUCTION = f"""The address is `/ws`. Messages are JSON in text frames, and `t` is their type. A client
message has at most {websocket.MAX_MESSAGE // 1024} KiB, and a socket watches at most
{websocket.MAX_WATCHES} matches. To maintain a board from these messages, see [Write a
client](../how-to/write-a-client.md#follow-a-board)."""

CLIENT_NOTES = f"""
### `watch`

- `match` is the name of a match, or `lobby` for [the lists of matches](#the-lobby).
- `since` is the number of the client's last event and the hash of that event's block.
- `as` lists the accounts for which the client watches, at most {websocket.MAX_ACCOUNTS} addresses.
  This shows other watchers that a match's opener is present. The server doesn't check or store
  this claim. The claim ends with the watch or the socket.

### `seek`

`seek` queues an account for a match of `game` with `clock` seconds per move. `clock` must be one of
the game's `presets`. A socket or an account waits for one opponent at a time, so a later `seek`
ends the earlier one. If `asks` is true, the server asks before it pairs the player, who is in a
match with the computer. The client agrees with `accept`.

The account signs the request (EIP-712). The domain is `Chainboard`, version `1`, with the chain's
id. The type is `{seek_requests.TYPE}`. The signature expires at `until` (seconds since 1970), at
most {seek_requests.MAX_VALID_SECONDS} seconds from now.

The server chooses the player who opens the match. That player opens it without a stake, invites the
opponent if the game allows it, and sends `opened`. The other player joins it and sends `unseek`
with `joined`. `unseek` without `joined`, or closing the socket, ends the search. The search isn't
on the chain, so nobody is bound before a match is open.

### `emote`

`emote` sends one of {", ".join(map(code, get_args(emotes.Emote)))} to everyone who watches `match`.
The socket must watch the match, and `account` must play in it.

The account signs a statement (EIP-712) in the domain of `seek`. Its type is `{emotes.TYPE}`. The
statement covers all emotes of the account until `until`, at most
{emotes.MAX_STATEMENT_SECONDS // 3600} hours from now. The server checks the statement once per socket.

An account can send {emotes.BURST} emotes to a match in a row, then one every
{emotes.REFILL_SECONDS:g} seconds. The server answers the first excess emote with an error and silently
drops further emotes. Emotes cost nothing and aren't stored.

## The lobby

The board of `lobby` is `{{"games": {{slug: …}}, "matches": {{name: summary}}}}`:

| field | content |
| --- | --- |
| `counts` | per game: the number of matches by status, and the number of live matches (`live`) |
| `seeking` | per game: the number of waiting players by seconds per move; absent if nobody waits |
| `featured` | per game: the name of the live match that moved last; absent if no match is live |
| `board` | per game: the board of that match; absent if it has more than {lobby.BOARD_BYTES // 1024} KiB |
| `more` | per game: the number of open matches that aren't listed, by the opener's address |

For each game, `matches` has at most six live matches, six open matches whose opener is present, and
the 12 newest open matches (at most 3 per opener). It also has the latest matches that are being
played, finished and cancelled.

A match is live for {lobby.LIVE_SECONDS} seconds after its last move, and while a client watches it
for one of its players. A summary has the fields of `GET /api/matches`, without `block`. It lists at
most six players, and `morePlayers` is the number of the others. In open matches, `attended` is true
if the opener is present. In live matches, `live` is true.

All games together have at most {lobby.MAX_BYTES // 1024} KiB, so no lobby message reaches 64 KiB. Each game has an
equal share. If the share of a game is used up, its board and further matches are left out.
"""


CLIENT_MESSAGES = {
    "accept": "agrees to play against the opponent that the server proposes",
    "emote": "sends an emote to a match",
    "opened": "reports the match that the client has opened for its opponent",
    "ping": "requests a `pong`",
    "seek": "starts a search for an opponent",
    "unseek": "ends the search",
    "unwatch": "stops watching a match or the lobby",
    "watch": "requests the board of a match or the lobby, and its changes from then on",
}

SERVER_MESSAGES = {
    "hello": "The first message. `head` is the newest indexed block. `chainId`, `genesis` and `head` are null until "
    "the index has a chain and a block. `development` is true on a development chain. If the server changes to another "
    "chain, it sends `hello` again, and the client must discard everything.",
    "reset": "The whole board after event `seq`, with the block of that event. `why` is the reason for the message.\n\n"
    "- `watch`: the client watches the match and named no event.\n"
    "- `gap`: patches aren't enough, for example because the client's event is too old.\n"
    "- `reorg`: a reorg removed events. `common` is the number of the last event that both boards share, or 0.\n"
    "- `lag`: the client read too slowly.\n"
    "- `chain`: the server has changed to another chain.",
    "deltas": "The events of one match in one block. Each event has a JSON Merge Patch (RFC 7396) to apply to the "
    "board, and the hash of its transaction (`tx`). Items of `lobby` have only `seq` and `patch`.",
    "head": "The newest indexed block. The server sends this message whenever another block becomes the newest.",
    "presence": "The number of sockets that watch a match. `openerIsHere` is true if one of these sockets, or a "
    "socket that watches the lobby, claims to watch for the match's opener. `playersHere` is the number of "
    "players, including the opener, for whom sockets claim to watch. Watchers get this message after `watch` and "
    "after a change, at most once per second. A client that doesn't answer a ping for two seconds doesn't count. "
    "In `lobby`, rows of open matches have `openerIsHere` as `attended`.",
    "seek": "The state of the client's search for an opponent.\n\n"
    "- `waiting`: the player waits for an opponent. If the server is asking an opponent who plays the computer, "
    "`asked` is that player. If an earlier pair broke up, `why` is the reason.\n"
    "- `asked`: the server asks whether this player wants to play against `rival`. The client agrees with `accept`.\n"
    "- `opening`: the player and `rival` are paired. The player for whom `opens` is true opens the match.\n"
    "- `opened`: `rival` or the player has opened `match`.\n"
    "- `ended`: the search is over. `why` is the reason.\n\n"
    "These are the values of `why`:\n\n"
    "- `left`: the opponent left.\n"
    "- `late`: the opponent, or this player, took too long to open or join the match, or to answer.\n"
    "- `elsewhere`: the account has started another search.\n"
    "- `unanswered`: this player didn't answer whether to play against `rival`.\n"
    "- `joined`: both players are in the match.",
    "emote": "A player of the match, `account`, has sent an emote. All watchers of the match get it, including "
    "the sender. Clients ignore emotes that they don't know.",
    "pong": "The answer to `ping`.",
    "error": "The server can't do what the client requested. `match` is the match in the request, if the request "
    "named one. `detail`, `code`, `key` and `args` are as in a problem document. The socket stays open.",
}

CLOSE_REASONS = {
    1009: f"A client message has more than {websocket.MAX_MESSAGE // 1024} KiB, or more than {MAX_FRAGMENTS} frames.",
    1011: "The server failed. The server's log has the details.",
    1012: "The server is restarting. Reconnect immediately with `since`. Behind a proxy, a different server answers.",
    1013: f"The client is too slow: more than {send_queue.MAX_BUFFERED // 1024} KiB are queued, and as much is being "
    "sent. Reconnect, and the server sends one `reset` per match instead of the backlog.",
}

EXAMPLE_BLOCK = Block(12, "0x" + "ab" * 32, "0x" + "aa" * 32, 1_700_000_000)
EXAMPLE_EVENT = Event(
    "tic-tac-toe", 7, 3, "Moved", {"row": 0}, 12, EXAMPLE_BLOCK.hash, EXAMPLE_BLOCK.time, "0x" + "cd" * 32, 0
)


def live() -> str:
    text = page("The websocket", INTRODUCTION) + "\n## Client messages\n"
    shapes = [one for one in websocket.CLIENT_MESSAGE.json_schema()["$defs"].values() if "t" in one["properties"]]
    kinds = [(one["properties"]["t"]["const"], ", ".join(_fields(one))) for one in shapes]
    text += table(("`t`", "with", "meaning"), [(code(kind), fields, CLIENT_MESSAGES[kind]) for kind, fields in kinds])
    text += CLIENT_NOTES + "\n## Server messages\n"
    for frame in _examples():
        message = _payload(frame)
        text += f"\n### `{message['t']}`\n\n{SERVER_MESSAGES[message['t']]}\n\n```json\n{json.dumps(message)}\n```\n"
    codes = sorted({str(key).partition(".")[0] for key in _first_arguments(websocket.MessageRejected.__name__)})
    values = {
        "`why` of a `reset`": get_args(messages.ResetReason),
        "`state` of a `seek`": get_args(seeks.State),
        "`why` of a `seek`": get_args(seeks.SeekReason),
        "`code` of an `error`": codes,
    }
    text += "\n### Values\n" + table(
        ("field", "values"), [(name, ", ".join(map(code, values[name]))) for name in values]
    )
    text += "\n## Close codes\n"
    closes = _first_arguments("close", send_queue.Close.__name__)
    return text + table(("code", "reason"), [(str(number), CLOSE_REASONS[number]) for number in closes])


def _fields(shape: Json) -> Iterator[str]:
    for name in shape["properties"]:
        if name != "t":
            yield code(name) + ("" if name in shape["required"] else " (optional)")


def _examples() -> Iterator[bytes]:
    """Yield an example of each message. The functions that create these messages are the functions
    that the gateway uses."""
    block_ref = block(EXAMPLE_BLOCK)
    yield messages.hello(Chain(31337, "0x" + "00" * 32), EXAMPLE_BLOCK, True)
    yield messages.reset("tic-tac-toe/7", 3, block_ref, {"status": "playing"}, "reorg", 2)
    yield messages.deltas("tic-tac-toe/7", block_ref, [messages.item(EXAMPLE_EVENT, {"cells": {"0": 1}})])
    yield messages.head(EXAMPLE_BLOCK)
    yield messages.presence("tic-tac-toe/7", 3, True, 2)
    paired = {"game": "tic-tac-toe", "clock": 600, "rival": "0x" + "Ab" * 20, "opens": False}
    yield messages.seek({"state": "opened", **paired, "match": "tic-tac-toe/7"})
    yield messages.emote("tic-tac-toe/7", "0x" + "Ab" * 20, "well-played")
    yield messages.pong()
    yield messages.error(Rejection("unknown-match.yet", {"match": "chess/9"}), "chess/9")


def _payload(frame: bytes) -> Json:
    found: Json = json.loads(frame[{126: 4, 127: 10}.get(frame[1], 2) :])
    return found


def _first_arguments(*names: str) -> list[Any]:
    """Find all calls to these functions in the websocket's source. Return their first arguments,
    except arguments that aren't constants."""
    calls = [
        one for one in ast.walk(ast.parse(Path(websocket.__file__).read_text("utf-8"))) if isinstance(one, ast.Call)
    ]
    named = [one for one in calls if ast.unparse(one.func).rpartition(".")[2] in names]
    return sorted({one.args[0].value for one in named if one.args and isinstance(one.args[0], ast.Constant)})
