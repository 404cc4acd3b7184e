"""Turns recorded matches into replay files. The real reducers fold the events as if the matches
were on a real chain."""

from __future__ import annotations

import hashlib
from pathlib import Path

import orjson

from indexer.gamekit.game import board_hash, diff, fold
from indexer.games import GAMES
from indexer.model import Event, Json

FOLDER = Path(__file__).parents[1] / "fixtures/transcripts"
ONE_MATCH_PER_GAME = ("tic-tac-toe/host-wins", "battleship/honest", "touche-coule/fought-out")


def replay_of(name: str) -> Json:
    """Return the replay file of a recorded match, such as `tic-tac-toe/draw`. Each block has one
    transaction, and the block hashes are made up."""
    recording: Json = orjson.loads((FOLDER / f"{name}.json").read_bytes())
    game = GAMES[recording["game"]]
    board, events = game.start, []
    for recorded in recording["events"]:
        event = Event(
            game.slug, recording["match"], recorded["seq"], recorded["name"], recorded["args"], 0, "", 0, "", 0
        )
        before, board = board, fold(game, board, (event,))
        at = {"block": recorded["height"], "hash": fake_hash(recorded["height"]), "tx": fake_hash(-recorded["height"])}
        fields = {key: recorded[key] for key in ("seq", "name", "args", "time")}
        events.append({**fields, **at, "logIndex": recorded["seq"], "patch": diff(before, board)})
    return {
        "format": "chainboard-replay",
        "version": 1,
        "match": f"{game.slug}/{recording['match']}",
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "chain": {"chainId": 31337, "genesis": fake_hash(0)},
        "deployment": {
            "contract": game.contract,
            "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
            "block": 1,
            "blockHash": fake_hash(1),
            "codeHash": fake_hash(10**9),
            "firstMatch": 1,
        },
        "start": game.start,
        "events": events,
        "board": board,
        "boardHash": board_hash(board),
    }


def fake_hash(number: int) -> str:
    return f"0x{hashlib.sha256(str(number).encode()).hexdigest()}"
