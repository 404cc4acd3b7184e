"""The model's values as JSON: one function a shape, shared by HTTP and the websocket."""

from __future__ import annotations

from indexer.follow.health import Health
from indexer.gamekit.game import Action, Game
from indexer.model import Block, Deployment, Event, Json, Summary, match_name
from indexer.store.leaderboard import RankedResult

BOARD_FIELDS = ("opponent", "mover", "clock", "stake", "token")
"""Fields of a board that lists show, where it has them."""
LISTED_PLAYERS = 4


def block(found: Block) -> Json:
    return {"height": found.height, "hash": found.hash, "time": found.time}


def block_ref(of: Event | Summary) -> Json:
    """The block of an event, or of a match's last event."""
    return {"height": of.height, "hash": of.hash, "time": of.time}


def event(found: Event) -> Json:
    return {
        "seq": found.seq,
        "name": found.name,
        "args": found.args,
        "block": found.height,
        "hash": found.hash,
        "tx": found.tx,
        "logIndex": found.log_index,
        "time": found.time,
    }


def summary(found: Summary) -> Json:
    return {
        "match": match_name(found.game, found.match),
        "game": found.game,
        "id": found.match,
        "seq": found.seq,
        "status": found.status,
        "ply": found.ply,
        "players": found.players,
        **{key: found.board[key] for key in BOARD_FIELDS if key in found.board},
        "created": found.created,
        "time": found.time,
        "block": block_ref(found),
    }


def lobby_row(found: Summary) -> Json:
    """A summary for the lobby, which has many: without its block, and with few of its players."""
    row = {key: value for key, value in summary(found).items() if key != "block"}
    more = len(found.players) - LISTED_PLAYERS
    return row | ({"players": found.players[:LISTED_PLAYERS], "morePlayers": more} if more > 0 else {})


def leaderboard_row(found: RankedResult) -> Json:
    """A player's row in a leaderboard. Ratings are stored in whole hundredths."""
    last = found.result
    return {
        "rank": found.rank,
        "address": last.address,
        "game": last.game,
        "rating": last.rating / 100,
        "played": last.played,
        "won": last.won,
        "lost": last.lost,
        "drawn": last.drawn,
    }


def game(rules: Game, deployments: list[Deployment]) -> Json:
    """A game of the registry with its deployments, oldest first; the newest one is where new matches open."""
    newest = deployments[-1] if deployments else None
    return {
        "slug": rules.slug,
        "title": rules.title,
        "layout": rules.layout,
        "address": newest.address if newest else None,
        "abi": newest.abi if newest else [],
        "firstBlock": min((one.height for one in deployments), default=None),
        "deployments": [_deployment(one) for one in deployments],
        "actions": [_action(one) for one in rules.actions],
    }


def _deployment(found: Deployment) -> Json:
    end = {} if found.end_match is None else {"endMatch": found.end_match}
    return {"address": found.address, "firstBlock": found.height, "firstMatch": found.first_match, **end}


def _action(action: Action) -> Json:
    inputs = [
        {
            "name": one.name,
            "label": one.label,
            "kind": one.kind,
            "minimum": one.minimum,
            "maximum": one.maximum,
            "default": one.default,
        }
        for one in action.inputs
    ]
    gas = {"base": action.gas, "each": action.gas_each, "of": action.gas_of}
    pays = {"amount": action.deposit.amount, "token": action.deposit.token} if action.deposit else None
    return {
        "name": action.name,
        "signature": action.signature,
        "label": action.label,
        "inputs": inputs,
        "gas": gas,
        "pays": pays,
    }


def health_lag(health: Health, tip: Block | None, now: int) -> Json:
    """How far the index is behind the node: in blocks, and in seconds since its last block."""
    if tip is None or health.node_head is None:
        return {"blocks": 0, "seconds": 0}
    blocks = max(0, health.node_head - tip.height)
    return {"blocks": blocks, "seconds": max(0, now - tip.time) if blocks else 0}
