"""Converts a match of Conquest to the JSON of the original game's HTTP API, and commands from this
JSON to contract calls.

A command has these fields:
- index: the number of the command
- playerId: the seat of the player
- type: 0 capital, 1 reinforcement, 2 port, 3 pass, 4 surrender, 5 attack or capture, 6 move, 7 item
- landId: the land, for types 0 to 2
- interactions: a list of {landOne, landTwo} (from, to), for types 5 and 6
- ratio, hero: for type 6
- phaseOnly, forced: for type 3; only present if true
- draw: the random result between the previous command and this command: {kind, block, seed}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eth_utils.crypto import keccak

from indexer.gamekit.contract_view import bits, seats
from indexer.games.conquest_graph import Graph, decode_graph
from indexer.games.conquest_map import SIDE, generate_map, is_map_of_seed
from indexer.games.conquest_view import DRAWS, PHASES
from indexer.model import Event, Json

CAPITAL, REINFORCEMENT, PORT, PASS, SURRENDER, ATTACK, MOVE, ITEM = range(8)
COMMANDED, DRAWN = "Commanded", "Drawn"
FAT_BONUS = 8
HISTORY_SERVE_WINDOW = 8_191
"""The number of recent blocks whose hashes a contract can read (EIP-2935)."""
NO_SEED = "0x" + 64 * "0"
"""Stands for the seed of a random draw if its block's hash is no longer available."""
MAX_SEATS = 6
QUARTERS = 4
COLORS = ((0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (240, 228, 66), (213, 94, 0))
"""The players' colours as (red, green, blue), in the order of the seats. Okabe and Ito chose them:
https://jfly.uni-koeln.de/color/"""


class BadCommand(ValueError):
    """The body of the HTTP request doesn't describe a command. The message explains why."""


def commands(events: Iterable[Event], first: int = 0) -> tuple[list[Json], Json | None]:
    """Return two values: the commands from number `first` on, and the random draw after the last
    command. The second value is None if there is no such draw.

    `events`: the match's events with the names COMMANDED and DRAWN, in order. Of those after
    command `first` - 1, none may be missing."""
    found: list[Json] = []
    draw: Json | None = None
    for event in events:
        if event.name == DRAWN:
            draw = {
                "kind": DRAWS[event.args["kind"]],
                "block": event.args["entropyBlock"],
                "seed": event.args["seed"],
            }
            continue
        if event.args["ply"] >= first:
            found.append(_command(event.args) | ({} if draw is None else {"draw": draw}))
        draw = None
    return found, draw


def _command(args: Json) -> Json:
    kind, data = args["kind"], bytes.fromhex(args["data"][2:])
    found: Json = {"index": args["ply"], "type": kind, "playerId": args["seat"]}
    if kind in (CAPITAL, REINFORCEMENT, PORT):
        found["landId"] = data[0]
    elif kind == PASS and data[0]:
        found["phaseOnly" if data[0] == 1 else "forced"] = True
    elif kind in (ATTACK, MOVE):
        pairs = data if kind == ATTACK else data[:2]
        found["interactions"] = [
            {"landOne": start, "landTwo": end} for start, end in zip(pairs[::2], pairs[1::2], strict=True)
        ]
        if kind == MOVE:
            found |= {"ratio": data[2] / QUARTERS, "hero": bool(data[3])}
    return found


def state(board: Json) -> Json:
    """Return the state of a match in the JSON of the original API, without the cells of the map.
    The board must have a map."""
    land_map = board["map"]
    graph = decode_graph(land_map["graph"])
    used = board.get("used", [])
    found: Json = {
        "status": board["status"],
        "commands": board["ply"],
        "trail": board["trail"],
        "activatedItem": max(used, default=0),
        "activatedItems": used,
        "seatCount": board["seatCount"],
        "seed": land_map["seed"],
        "grain": land_map["grain"],
        "graph": land_map["graph"],
        "players": [_player(board, account) for account in seats(board)],
        "lands": [_land(board, graph, land) for land in range(graph.lands)],
    }
    if "phase" in board:
        found["currentStep"] = PHASES.index(board["phase"])
    if "mover" in board:
        found["currentPlayer"] = board["players"][board["mover"]]["seat"]
    if "winner" in board:
        found["winner"] = board["players"][board["winner"]]["seat"]
    if "draw" in board:
        found["draw"] = {"kind": board["draw"]["kind"], "block": board["draw"]["block"] + 1}
    found |= {key: board[key] for key in ("reason", "first") if key in board}
    return found


def cells(board: Json) -> Json:
    """Return the map's cells as `{"cells": …}`, or {} if the seed doesn't generate this map."""
    land_map = board["map"]
    if not is_map_of_seed(land_map["seed"], land_map["grain"], land_map["graph"]):
        return {}
    found = generate_map(land_map["seed"], land_map["grain"]).cells
    return {"cells": [{"x": at % SIDE, "y": at // SIDE, "land": land} for at, land in enumerate(found)]}


def _player(board: Json, account: str) -> Json:
    seat = board["players"][account]["seat"]
    known = board["seats"].get(str(seat), {})
    found: Json = {
        "id": seat,
        "account": account,
        "alive": known.get("alive", True),
        "deadHero": bool(known.get("hadHero")) and "hero" not in known,
        "storedItem": known.get("item", 0),
        "color": dict(zip("rgb", COLORS[seat], strict=True)),
    }
    if "capital" in known:
        found["headquarters"] = known["capital"]
    if "hero" in known:
        found["heroPosition"] = known["hero"]
    return found


def _land(board: Json, graph: Graph, land: int) -> Json:
    known = board["lands"].get(str(land), {"soldiers": graph.soldiers[land]})
    item = known.get("item", {"fat": False, "turns": 0})
    found: Json = {
        "id": land,
        "neighborLands": bits(graph.neighbours[land]),
        "type": graph.types[land],
        "fort": bool(graph.forts >> land & 1),
        "ports": known.get("port", False),
        "soldiersNumber": known["soldiers"],
        "item": FAT_BONUS if item["fat"] else 0,
        "itemLifeTime": item["turns"],
    }
    return found if "owner" not in known else {**found, "owner": known["owner"]}


def trail_after_draw(trail: int, seed: str) -> int:
    """Return the trail after a random draw. The trail is a hash of the match's history. `seed`: 32
    bytes as 0x hex."""
    return int.from_bytes(keccak(trail.to_bytes(4) + bytes.fromhex(seed[2:]))[:4])


def call_of(board: Json, body: Json) -> tuple[str, Json]:
    """Return the contract action for the command in a request's body, and the action's arguments.
    The arguments `ply` and `trail` are left out. Raises BadCommand."""
    kind = integer(body, "type", ITEM)
    if kind in (CAPITAL, REINFORCEMENT, PORT):
        return ("chooseCapital", "reinforce", "buildPort")[kind], {"land": integer(body, "landId", 255)}
    if kind == PASS:
        return "pass", {"phaseOnly": _flag(body, "phaseOnly", False)}
    if kind == SURRENDER:
        return "surrender", {}
    if kind == ITEM:
        return "useItem", {}
    if kind == ATTACK:
        return _attack(board, body.get("interactions"))
    start, end = _interaction(body.get("interaction"))
    ratio = body.get("ratio")
    if isinstance(ratio, bool) or ratio not in (0.25, 0.5, 0.75, 1):
        raise BadCommand("ratio must be 0.25, 0.5, 0.75 or 1")
    return "move", {"from": start, "to": end, "quarters": int(ratio * QUARTERS), "hero": _flag(body, "hero")}


def _attack(board: Json, interactions: Any) -> tuple[str, Json]:
    """Return `capture` if the only target is a neutral land. Otherwise, return `attack`."""
    if not isinstance(interactions, list):
        raise BadCommand("interactions must be a list of objects with landOne and landTwo")
    pairs = [_interaction(one) for one in interactions]
    if len(pairs) == 1 and "owner" not in board["lands"].get(str(pairs[0][1]), {"owner": None}):
        return "capture", {"from": pairs[0][0], "to": pairs[0][1]}
    return "attack", {"pairs": "0x" + bytes(land for pair in pairs for land in pair).hex()}


def _interaction(value: Any) -> tuple[int, int]:
    if not isinstance(value, dict):
        raise BadCommand("an interaction must be an object with landOne and landTwo")
    return integer(value, "landOne", 255), integer(value, "landTwo", 255)


def integer(body: Json, name: str, highest: int, default: int | None = None) -> int:
    """Return the whole number in this field of a request's body. Raises BadCommand if it isn't a
    number from 0 to `highest`."""
    value = body.get(name, default)
    if type(value) is not int or not 0 <= value <= highest:
        raise BadCommand(f"{name} must be a whole number from 0 to {highest}")
    return value


def _flag(body: Json, name: str, default: bool | None = None) -> bool:
    value = body.get(name, default)
    if not isinstance(value, bool):
        raise BadCommand(f"{name} must be true or false")
    return value
