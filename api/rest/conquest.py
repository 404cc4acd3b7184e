"""Routes for one game, Conquest. They return its history and state in the original game's format,
and turn commands into unsigned transactions."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.chain import body
from api.openapi.document import answer, json_body, ref
from api.openapi.route import Route
from api.problems import Problem
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import deployment_of, game_named, match_at
from api.rest.params import MatchId, Seq, WholeNumber, WithCells
from api.rest.writes import client_of
from api.shapes.blocks import block
from api.shapes.conquest import CommandsShape, ConquestStateShape, PreparedShape
from api.shapes.fields import ALICE
from contracts.abi import MAX_GAS, encode_call
from contracts.rpc_errors import RpcError
from indexer.gamekit.names import BadName, parse_address
from indexer.games import conquest_history as history
from indexer.games.conquest_errors import message_of
from indexer.model import Event, Json, match_name
from indexer.store.snapshot import Snapshot
from transactions.revert_reason import REVERTED, reason_of

SLUG = "conquest"
CHUNK = 200
"""The number of events that are read at a time, from the last event backwards. A client that polls
lacks only the newest events."""
MAX_COMMANDS = 2**32 - 1
UNAVAILABLE, TOO_MUCH = -32002, -32005

From = Annotated[
    int,
    Query(
        alias="from",
        ge=0,
        le=MAX_COMMANDS,
        description="the number of commands that the client already has",
        examples=[0, 12],
    ),
    WholeNumber,
]


class ConquestRoutes:
    """Routes under /matches/conquest."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def commands(self, id: MatchId, first: From = 0) -> Response:
        """Returns the match's commands, starting with the command that has the index `from`. If you
        execute all commands in order, each after its `draw`, you get the match's state. Everything
        that depends on chance follows from the seeds of the draws."""
        with self._context.store.read() as snapshot:
            board, _ = self._board(snapshot, id)
            if first > (count := board["ply"]):
                arguments = {"match": match_name(SLUG, id), "commands": count, "from": first}
                raise Problem(400, "bad-index", arguments, commands=count)
            events = _events_from(snapshot, id, first)
        found, draw = history.commands(events, first)
        shape: CommandsShape = {"match": match_name(SLUG, id), "commands": found}  # type: ignore[typeddict-item]
        if draw is not None:
            shape["draw"] = draw  # type: ignore[typeddict-item]
        return json_response(shape)

    def state(self, id: MatchId, seq: Seq = None, cells: WithCells = True) -> Response:
        """Returns the players, lands and cells after the match's last event, or after event `seq`
        if given. The server computes the cells from the map's seed."""
        with self._context.store.read() as snapshot:
            board, event = self._board(snapshot, id, seq)
            address = deployment_of(snapshot, SLUG, id).address
        if "map" not in board:
            raise Problem(404, "no-map", {"match": match_name(SLUG, id), "seq": event.seq})
        found = {"match": match_name(SLUG, id), "seq": event.seq, "block": block(event), "address": address}
        return json_response(found | history.state(board) | (history.cells(board) if cells else {}))

    async def prepare(self, id: MatchId, request: Request) -> Response:
        """Turns a command in the original game's format into an unsigned transaction, and simulates
        it. Sign the transaction with the account `from`, which must have the seat `playerId`. Then
        send it to `POST /rpc` with eth_sendRawTransaction."""
        payload = body.parse(await body.read(request))
        unstored = await run_in_threadpool(self._unstored_draw, id)
        hash = None if unstored is None else await self._hash_at(unstored, client_of(request))
        call = await run_in_threadpool(self._call, id, payload, hash)
        simulated = {key: call[key] for key in ("from", "to", "data", "gas")}
        rpc_call = {"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [simulated, "pending"]}
        answer = await self._context.rpc.answer(orjson.dumps(rpc_call), client_of(request))
        assert isinstance(answer, dict)
        if "error" in answer:
            raise _refusal(answer["error"])
        return json_response(call)

    def _unstored_draw(self, match: int) -> int | None:
        """Return the height of the block that decides the pending random draw. Return None if no
        draw is pending, if the block is stored, or if the block doesn't exist yet.

        The store leaves out final blocks without events."""
        with self._context.store.read() as snapshot:
            board, _ = self._board(snapshot, match)
            height = board["draw"]["block"] + 1 if "draw" in board else 0
            return height if 0 < height <= snapshot.sparse_height() and not snapshot.block_at(height) else None

    async def _hash_at(self, height: int, client: str) -> str | None:
        """Ask the node for the hash of a block that is not stored. Return None if the node doesn't
        answer. (A wrong hash is harmless: the contract rejects it.)"""
        rpc_call = {"jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByNumber", "params": [hex(height), False]}
        answer = await self._context.rpc.answer(orjson.dumps(rpc_call), client)
        found = answer.get("result") if isinstance(answer, dict) else None
        return str(found["hash"]) if found else None

    def _call(self, match: int, payload: Any, hash: str | None) -> Json:
        if not isinstance(payload, dict):
            raise Problem(422, "bad-parameter.command")
        with self._context.store.read() as snapshot:
            board, _ = self._board(snapshot, match)
            try:
                sender = parse_address(str(payload.get("from")))
                action, arguments = history.call_of(board, payload)
                index = history.integer(payload, "index", MAX_COMMANDS, board["ply"])
                trail = history.integer(payload, "trail", MAX_COMMANDS, _trail(snapshot, board, hash))
                seat = history.integer(payload, "playerId", history.MAX_SEATS - 1)
            except (history.BadCommand, BadName) as bad:
                raise Problem(422, "bad-parameter", {"why": f"{bad}."}) from None
            contract, chain = deployment_of(snapshot, SLUG, match), snapshot.chain()
        if board["players"].get(sender, {}).get("seat") != seat:
            raise Problem(403, "other-seat", {"seat": seat, "match": match_name(SLUG, match), "player": sender})
        assert chain is not None  # the match exists, so the chain is known
        values = (bytes.fromhex(one[2:]) if isinstance(one, str) else one for one in arguments.values())
        data = encode_call(contract.abi, action, (match, index, trail, *values))
        actions = self._context.games[SLUG].actions
        gas = next(one for one in actions if one.name == action).gas_limit(board)
        call = {"from": sender, "to": contract.address, "data": data, "value": "0x0", "gas": hex(min(gas, MAX_GAS))}
        return {**call, "chainId": hex(chain.chain_id)}

    def _board(self, snapshot: Snapshot, match: int, seq: int | None = None) -> tuple[Json, Event]:
        """Return the board and its event. Raises Problem 404 if there is no such match or event."""
        event = match_at(snapshot, game_named(self._context.games, SLUG), match, seq)
        found = snapshot.board(SLUG, match, event.seq)
        assert found is not None
        return found


def _events_from(snapshot: Snapshot, match: int, first: int) -> list[Event]:
    """Return the match's commands and random draws in order. The list starts at the command
    `first` - 1 or earlier."""
    found: list[Event] = []
    names, before = (history.COMMANDED, history.DRAWN), None
    while some := snapshot.latest_named(SLUG, match, names, before, CHUNK):
        found += some
        before = some[-1].seq
        if any(one.name == history.COMMANDED and one.args["ply"] < first for one in some):
            break
    return found[::-1]


def _trail(snapshot: Snapshot, board: Json, hash: str | None) -> int:
    """Return the trail (a hash of the match's history) that the next command must contain. While a
    random draw is pending, the contract rejects every trail until the deciding block exists. If
    that block is not stored, `hash` is its hash."""
    trail: int = board["trail"]
    tip = snapshot.tip()
    if "draw" not in board or tip is None:
        return trail
    height = board["draw"]["block"] + 1
    if tip.height - height >= history.HISTORY_SERVE_WINDOW:  # the block is too old, so the contract can't read its hash
        return history.trail_after_draw(trail, history.NO_SEED)
    block = snapshot.block_at(height)
    seed = block.hash if block else hash
    return history.trail_after_draw(trail, seed) if seed else trail


def _refusal(error: Json) -> Problem:
    if error["code"] == TOO_MUCH:
        return Problem(429, "too-much", {"why": error["message"]}, {"retry-after": "1"})
    reason = reason_of(RpcError(error["code"], error["message"], error.get("data")))
    if error["code"] == UNAVAILABLE or not reason.startswith(REVERTED):
        return Problem(503, "node-lost.command", {"why": error["message"]})
    name, detail = message_of(reason)
    return Problem(403, "command-refused", {"error": name, "why": detail}, error=name)


def routes(context: Context) -> tuple[Route, ...]:
    own = ConquestRoutes(context)
    one_match = ("unknown-match", "bad-parameter", "unreadable")
    examples = [
        ("an attack or a capture", _example(5, interactions=[{"landOne": 12, "landTwo": 13}])),
        ("a move", _example(6, interaction={"landOne": 12, "landTwo": 13}, ratio=0.5, hero=False)),
        ("a pass", _example(3)),
    ]
    return (
        Route(
            path=f"/matches/{SLUG}/{{id}}/commands",
            operation="listConquestCommands",
            tag="matches",
            summary="List a Conquest match's commands",
            endpoint=own.commands,
            answers=answer(CommandsShape, "the commands that the client doesn't have yet"),
            codes=("bad-index", *one_match),
        ),
        Route(
            path=f"/matches/{SLUG}/{{id}}/state",
            operation="getConquestState",
            tag="matches",
            summary="Get a Conquest match's state",
            endpoint=own.state,
            answers=answer(ConquestStateShape, "the match's state"),
            codes=("unknown-seq", "no-map", *one_match),
        ),
        Route(
            path=f"/matches/{SLUG}/{{id}}/prepare",
            operation="prepareConquestCommand",
            tag="matches",
            summary="Prepare a Conquest command",
            endpoint=own.prepare,
            answers=answer(PreparedShape, "the unsigned transaction"),
            codes=(
                *("malformed-json", "body-too-large", "not-json", "command-refused", "other-seat", "too-much"),
                *("node-lost", *one_match),
            ),
            body=json_body(ref("PrepareRequest"), examples),
        ),
    )


def _example(kind: int, **more: Any) -> Json:
    return {"from": ALICE, "type": kind, "playerId": 1, **more}
