"""One of each shape, and one of each problem, for the OpenAPI document. Tests hold them to the shapes and the code.

They are of a game that is not here: no file of this layer knows those that are."""

from __future__ import annotations

from typing import Any

from api.problems import Problem
from indexer.model import Json

ALICE, BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
CONTRACT = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0"
TIME = 1_790_000_000
NEXT = "WyJmM2Y5YzY0MTBhYjEiLDEyMCwzXQ"


def _hash(byte: str) -> str:
    return "0x" + byte * 32


BLOCK: Json = {"height": 120, "hash": _hash("5f"), "time": TIME}
EVENT: Json = {
    "seq": 5,
    "name": "Moved",
    "args": {"ply": 1, "by": BOB, "from": 52, "to": 36},
    "block": 120,
    "hash": _hash("5f"),
    "tx": _hash("e1"),
    "logIndex": 3,
    "time": TIME,
}
PATCH: Json = {"cells": {"52": None, "36": "p"}, "ply": 2, "mover": ALICE}
BEFORE: Json = {"status": "none", "ply": 0, "players": {}, "cells": {"4": "K", "52": "p"}}
BOARD: Json = {
    "status": "playing",
    "ply": 2,
    "players": {ALICE: {"seat": 0}, BOB: {"seat": 1}},
    "cells": {"4": "K", "36": "p"},
    "mover": ALICE,
}
SUMMARY: Json = {
    "match": "chess/7",
    "game": "chess",
    "id": 7,
    "seq": 5,
    "status": "playing",
    "ply": 2,
    "players": [ALICE, BOB],
    "opponent": BOB,
    "mover": ALICE,
    "clock": 300,
    "stake": "100000000000000000",
    "token": CONTRACT,
    "created": TIME - 300,
    "time": TIME,
    "block": BLOCK,
}
INPUT: Json = {"name": "to", "label": "To", "kind": "int", "minimum": 0, "maximum": 63, "default": None}
GAS: Json = {"base": 200_000, "each": 0, "of": ""}
PAYS: Json = {"amount": "stake", "token": "token"}
ACTION: Json = {
    "name": "move",
    "signature": "move(uint48,uint32,uint8,uint8)",
    "label": "Move",
    "inputs": [INPUT],
    "gas": GAS,
    "pays": None,
}
DEPLOYMENT: Json = {"address": CONTRACT, "firstBlock": 2, "firstMatch": 1}
ERROR: Json = {
    "type": "error",
    "name": "Blocked",
    "inputs": [{"name": "cell", "type": "uint8", "internalType": "uint8"}],
}
GAME: Json = {
    "slug": "chess",
    "title": "Chess",
    "layout": "grid",
    "address": CONTRACT,
    "abi": [ERROR],
    "firstBlock": 2,
    "deployments": [DEPLOYMENT],
    "actions": [ACTION],
}
DELTA: Json = {"seq": 5, "patch": PATCH}
COUNTS: Json = {"played": 3, "won": 2, "lost": 1, "drawn": 0}
STAGES: Json = {"open": 0, "running": 1, "over": 3}
STANDING: Json = {"rank": 1, "address": ALICE, "game": "chess", "rating": 1530.53, **COUNTS}
PLAYER_GAME: Json = {"game": "chess", "rating": 1530.53, "rank": 1, **COUNTS, **STAGES}
REPLAY_GAME: Json = {"slug": "chess", "title": "Chess", "layout": "grid"}
REPLAY_CHAIN: Json = {"chainId": 31337, "genesis": _hash("a4")}
REPLAY_DEPLOYMENT: Json = {
    "contract": "Chess",
    "address": CONTRACT,
    "block": 2,
    "blockHash": _hash("b2"),
    "codeHash": _hash("c0"),
    "firstMatch": 1,
}
RPC_ERROR: Json = {"code": -32601, "message": "The method 'eth_mine' does not exist or is not available here."}

SHAPES: dict[str, Any] = {
    "BlockShape": BLOCK,
    "LagShape": {"blocks": 2, "seconds": 3},
    "HealthShape": {
        "chainId": 31337,
        "genesis": _hash("a4"),
        "nodeHead": 122,
        "indexedHead": 120,
        "finalHead": 118,
        "lag": {"blocks": 2, "seconds": 3},
        "state": "catching-up",
        "detail": "2 blocks to go",
        "development": True,
        "version": "0.6.0",
        "blockTime": 0,
    },
    "InputShape": INPUT,
    "GasShape": GAS,
    "PaysShape": PAYS,
    "ActionShape": ACTION,
    "DeploymentShape": DEPLOYMENT,
    "GameShape": GAME,
    "GamesShape": {"games": [GAME]},
    "SummaryShape": SUMMARY,
    "MatchesShape": {"matches": [SUMMARY], "next": NEXT},
    "MatchShape": {
        "match": "chess/7",
        "game": "chess",
        "id": 7,
        "seq": 5,
        "block": BLOCK,
        "settled": True,
        "hash": _hash("9d"),
        "board": BOARD,
        "address": CONTRACT,
    },
    "EventShape": EVENT,
    "EventsShape": {"match": "chess/7", "events": [EVENT], "next": 5},
    "NamedEventShape": {**EVENT, "match": "chess/7"},
    "AllEventsShape": {"events": [{**EVENT, "match": "chess/7"}], "next": NEXT},
    "DeltaShape": DELTA,
    "DeltasShape": {"match": "chess/7", "deltas": [DELTA], "next": 5},
    "StandingShape": STANDING,
    "LeaderboardShape": {"players": [STANDING], "block": BLOCK, "next": NEXT},
    "PlayerGameShape": PLAYER_GAME,
    "PlayerShape": {"address": ALICE, **COUNTS, **STAGES, "first": TIME - 9000, "last": TIME, "games": [PLAYER_GAME]},
    "ReplayGameShape": REPLAY_GAME,
    "ReplayChainShape": REPLAY_CHAIN,
    "ReplayDeploymentShape": REPLAY_DEPLOYMENT,
    "ReplayEventShape": {**EVENT, "patch": PATCH},
    "ReplayShape": {
        "format": "chainboard-replay",
        "version": 1,
        "match": "chess/7",
        "game": REPLAY_GAME,
        "chain": REPLAY_CHAIN,
        "deployment": REPLAY_DEPLOYMENT,
        "start": BEFORE,
        "events": [{**EVENT, "patch": PATCH}],
        "board": BOARD,
        "boardHash": _hash("9d"),
    },
    "FaucetShape": {"address": ALICE, "sent": str(10**18), "tx": _hash("e1")},
    "FaucetRequest": {"address": ALICE},
    "RpcErrorShape": RPC_ERROR,
    "RpcAnswerShape": {"jsonrpc": "2.0", "id": 1, "result": "0x78"},
    "RpcRequestShape": {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []},
}
"""By the names of the shapes."""

ONCE, MINUTE = {"retry-after": "1"}, {"retry-after": "60"}
_FOUND = [
    Problem(400, "bad-cursor", "The cursor belongs to another query. Leave it out to begin anew, or send it with the "
            "query that it came from."),
    Problem(400, "malformed-json", "The body is not JSON: unexpected character: line 1 column 2 (char 1)."),
    Problem(403, "unknown-host", "This server does not answer to the host 'example.org'."),
    Problem(403, "foreign-origin", "Pages of 'https://example.org' may not use this server."),
    Problem(404, "not-found", "There is nothing at /api/nothing."),
    Problem(404, "unknown-game", "There is no game 'poker'; the games: chess, go.",
            games=["chess", "go"]),
    Problem(404, "unknown-match", "There is no match chess/99."),
    Problem(404, "unknown-seq", "chess/7 has the events 1 to 5, not 6.", last=5),
    Problem(404, "unknown-block", "Block 5000 is not indexed; the last one is 120.", last=120),
    Problem(404, "no-faucet", "There is no faucet here: this is not a development chain."),
    Problem(405, "method-not-allowed", "POST is not possible at /api/health; possible: GET.", {"allow": "GET"}),
    Problem(409, "stale-cursor", f"The cursor stands in block 120 ({_hash('5f')}), which a reorg took. Leave it out to "
            "begin anew.", block={"height": 120, "hash": _hash("5f")}),
    Problem(413, "body-too-large", "The body may have at most 131072 bytes.", maximum=131072),
    Problem(415, "not-json", "The body must be application/json, not 'text/plain'."),
    Problem(422, "bad-parameter", "limit: Input should be less than or equal to 100.",
            errors=[{"in": "query", "name": "limit", "detail": "Input should be less than or equal to 100"}]),
    Problem(429, "too-much", "At most 3000 calls of one address in 10 seconds.", ONCE),
    Problem(429, "too-many-connections", "At most 100 connections of one address at a time.", ONCE),
    Problem(429, "faucet-too-often", f"The faucet gives to {ALICE} once a minute.", MINUTE),
    Problem(429, "faucet-busy", "The faucet gives 120 times a minute in all.", MINUTE),
    Problem(500, "internal-error", "The server failed at /api/matches; its log says more."),
    Problem(503, "unreadable", "The database can't be read at the moment.", ONCE),
    Problem(503, "node-lost", "The faucet can't reach the chain's node."),
    Problem(503, "faucet-empty", "The faucet has given away all that it may."),
    Problem(503, "faucet-refused", "The chain refused the faucet's transaction: nonce too low."),
]  # fmt: skip
PROBLEMS = {one.code: one for one in _FOUND}
"""By their codes."""
