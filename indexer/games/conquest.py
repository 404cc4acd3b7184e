"""The reducers for Conquest. They fold the events of a match into its board.

Events contain the results of battles, items and chance, so reducers need no rules. The board has
these fields, which are absent if they don't apply. Keys are text, even if they are numbers of seats
or lands:
- status, reason, winner, creator, rematchOf, seatCount (2..6)
- ply: the number of commands so far
- trail: a hash of the match's history
- clock: seconds per command
- deadline: in seconds since 1970, or 0 if there is none
- players: keyed by address, each with seat
- invited: the invited addresses, keyed by the reserved seat
- opponent: the first invited player who has not joined, if no seat is free for anyone
- map: seed, grain (the mean number of cells per land), lands (their number), graph (0x hex)
- first: the seat that plays first
- mover: the address of the player to move; if absent, no player is to move
- phase: "capital", "reinforcement", "action" or "move"
- draw: a random result that hasn't been decided yet: kind ("first", "turn", "battle" or "collect"),
  block. The hash of the block after `block` decides it
- attacks: the attacks that the draw will decide, as pairs of lands (from, to)
- collecting: the land with the item that the draw will decide
- used: the items used in this turn
- attacked, built: true if the mover has attacked, or built a port, in this turn
- seats: keyed by number, each with alive, capital and hero (lands), hadHero, item (stored), forced
  (the number of forced passes)
- lands: keyed by number, each with soldiers, owner (a seat), port, item (fat, turns)
- last: the last command: kind, seat, data, ply, battles (from, to, luck, damage, conquered)
"""

from __future__ import annotations

from typing import Any

from indexer.gamekit.contract_view import bits
from indexer.gamekit.game import Game
from indexer.gamekit.lifecycle import ENDED, LIFECYCLE, duel_ended, duel_overdue, joined, started, without
from indexer.games.conquest_actions import ACTIONS, SETTLE
from indexer.games.conquest_graph import decode_graph
from indexer.games.conquest_map import is_map_of_seed
from indexer.games.conquest_view import DRAWS, NONE, PHASES, from_board, from_contract
from indexer.model import Event, Json

CHOOSE_CAPITAL, PORT, PASS, ATTACK = 0, 2, 3, 5
FORCED_PASS = "0x02"
"""The data of a pass that was forced, because the clock had run out."""
STORED_ITEMS = (1, 2, 3, 4)
"""The numbers of the items that a player stores and uses later."""
CHANGE_DIGITS = 8
"""The number of hex digits per land in the event `Soldiers`: 2 for its number, 6 for soldiers."""

START: Json = {"status": "none", "ply": 0, "deadline": 0, "trail": 0, "players": {}, "seats": {}, "lands": {}}


# ---- before the match starts


def player_joined(board: Json, event: Event) -> Json:
    return _awaiting(joined(board, event))


def player_left(board: Json, event: Event) -> Json:
    """Return the board after `PlayerLeft`. If the player was invited, the seat remains reserved."""
    return _awaiting({**board, "players": without(board["players"], event.args["player"])})


def map_named(board: Json, event: Event) -> Json:
    args = event.args
    graph = decode_graph(args["graph"])
    named = {"seed": args["seed"], "grain": args["grain"], "lands": graph.lands, "graph": args["graph"]}
    lands = {str(land): {"soldiers": soldiers} for land, soldiers in enumerate(graph.soldiers)}
    return _awaiting({**board, "seatCount": args["players"], "map": named, "lands": lands})


def invited(board: Json, event: Event) -> Json:
    accounts = enumerate(event.args["accounts"], 1)
    return _awaiting({**board, "invited": {str(seat): account for seat, account in accounts if int(account, 16)}})


def _awaiting(board: Json) -> Json:
    """Set `opponent` to the first invited player who hasn't joined. Remove it if a seat is free for
    anyone."""
    reserved = board.get("invited", {})
    taken = {one["seat"] for one in board["players"].values()}
    free = [str(seat) for seat in range(board.get("seatCount", 0)) if seat not in taken]
    after = without(board, "opponent")
    return {**after, "opponent": reserved[free[0]]} if free and all(seat in reserved for seat in free) else after


def match_started(board: Json, event: Event) -> Json:
    seats = {str(seat): {"alive": True} for seat in sorted(one["seat"] for one in board["players"].values())}
    return {**started(board, event), "seats": seats, "deadline": event.time + board["clock"]}


def match_ended(board: Json, event: Event) -> Json:
    after = duel_ended(board, event)
    return without(after, "phase", "draw", "attacks", "collecting", "used", "attacked", "built")


# ---- commands and phases


def commanded(board: Json, event: Event) -> Json:
    """Return the board after `Commanded`. The command itself changes only the capital, `attacked`,
    `built`, and the data about commands. Its other effects have events of their own."""
    args = event.args
    kind, seat, data = args["kind"], args["seat"], args["data"]
    last = {"kind": kind, "seat": seat, "data": data, "ply": args["ply"]}
    after = {**board, "ply": args["ply"] + 1, "trail": args["trail"], "last": last}
    after["deadline"] = event.time + board["clock"]
    is_forced = (kind, data) == (PASS, FORCED_PASS)
    after = _seat(after, seat, forced=board["seats"][str(seat)].get("forced", 0) + 1 if is_forced else None)
    if kind == CHOOSE_CAPITAL:
        return _seat(after, seat, capital=_data(data)[0])
    if kind in (PORT, ATTACK):
        return {**after, "built" if kind == PORT else "attacked": True}
    return after


def phase_entered(board: Json, event: Event) -> Json:
    """Return the board after `Phase`. Each turn starts with a random draw, which decides whether an
    item appears. The player who chooses a capital first plays last."""
    args = event.args
    phase, draw = PHASES[args["phase"]], DRAWS[args["draw"]]
    after = without(board, "mover", "draw", "attacks", "collecting") | {"phase": phase}
    if args["seat"] != NONE:
        after["mover"] = next(one for one, player in board["players"].items() if player["seat"] == args["seat"])
        if "first" not in board:
            after["first"] = (args["seat"] + 1) % board["seatCount"]
    if draw == "turn":
        after = without(after, "used", "attacked", "built")
    if draw == "none":
        return after
    after["draw"] = {"kind": draw, "block": event.height}
    if draw == "battle":
        lands = _data(board["last"]["data"])
        after["attacks"] = [[*pair] for pair in zip(lands[::2], lands[1::2], strict=True)]
    elif draw == "collect":
        after["collecting"] = _data(board["last"]["data"])[1]
        after = _lands(after, {str(after["collecting"]): {"item": None}})
    return after


def drawn(board: Json, event: Event) -> Json:
    """Return the board after `Drawn`. After the random draw at the start of a turn, each item's
    remaining turns decrease by one. Items that expire have events of their own."""
    after = {**without(board, "draw", "attacks", "collecting"), "trail": event.args["trail"]}
    if DRAWS[event.args["kind"]] != "turn":
        return after
    items = {land: one["item"] for land, one in board["lands"].items() if "item" in one}
    return _lands(after, {land: {"item": {**item, "turns": item["turns"] - 1}} for land, item in items.items()})


def item_used(board: Json, event: Event) -> Json:
    used = sorted({*board.get("used", ()), event.args["item"]})
    return _seat({**board, "used": used}, event.args["seat"], item=None)


def battle_resolved(board: Json, event: Event) -> Json:
    """Return the board after `BattleResolved`. Other events report lands and soldiers."""
    battle = {key: event.args[key] for key in ("from", "to", "luck", "damage", "conquered")}
    last = board["last"]
    return {**board, "last": {**last, "battles": [*last.get("battles", ()), battle]}}


# ---- lands and seats


def soldiers_changed(board: Json, event: Event) -> Json:
    digits = event.args["changes"][2:]
    changes = [digits[at : at + CHANGE_DIGITS] for at in range(0, len(digits), CHANGE_DIGITS)]
    return _lands(board, {str(int(one[:2], 16)): {"soldiers": int(one[2:], 16)} for one in changes})


def lands_taken(board: Json, event: Event) -> Json:
    owner = None if event.args["to"] == NONE else event.args["to"]
    return _lands(board, {str(land): {"owner": owner} for land in bits(int(event.args["lands"]))})


def port_built(board: Json, event: Event) -> Json:
    return _lands(board, {str(event.args["land"]): {"port": True}})


def item_appeared(board: Json, event: Event) -> Json:
    return _lands(board, {str(event.args["land"]): {"item": {"fat": event.args["fat"], "turns": 4}}})


def item_expired(board: Json, event: Event) -> Json:
    return _lands(board, {str(event.args["land"]): {"item": None}})


def item_collected(board: Json, event: Event) -> Json:
    """Return the board after `ItemCollected`. Other events report the item's effects."""
    after = _lands(board, {str(event.args["land"]): {"item": None}})
    return _seat(after, event.args["seat"], item=event.args["item"]) if event.args["item"] in STORED_ITEMS else after


def hero_at(board: Json, event: Event) -> Json:
    return _seat(board, event.args["seat"], hero=event.args["land"], hadHero=True)


def hero_died(board: Json, event: Event) -> Json:
    return _seat(board, event.args["seat"], hero=None)


def player_out(board: Json, event: Event) -> Json:
    """Return the board after `PlayerOut`. The player's lands change in events of their own."""
    return _seat(board, event.args["seat"], alive=False, capital=None, hero=None, item=None, forced=None)


def _data(data: str) -> bytes:
    return bytes.fromhex(data[2:])


def _changed(one: Json, changes: Json) -> Json:
    """Return a copy of a seat or land with these changes. If a change is None, remove the field."""
    return {key: value for key, value in {**one, **changes}.items() if value is not None}


def _seat(board: Json, seat: int, **changes: Any) -> Json:
    seats = board["seats"]
    return {**board, "seats": {**seats, str(seat): _changed(seats[str(seat)], changes)}}


def _lands(board: Json, changes: dict[str, Json]) -> Json:
    lands = board["lands"]
    return {**board, "lands": {**lands, **{land: _changed(lands[land], new) for land, new in changes.items()}}}


# ---- random results (draws)


def anchor(board: Json) -> int | None:
    """Return the height that the chain must pass before the open random draw can be decided. The
    hash of the block after this height is the draw's seed. Return None if no draw is open."""
    return board["draw"]["block"] if "draw" in board else None


def due(board: Json) -> str | None:
    return SETTLE if "draw" in board else None


def has_own_map(board: Json) -> bool:
    """Return True if the board's map is the map that `generate_map` makes from its seed."""
    found = board.get("map", {})
    return bool(found) and is_map_of_seed(found["seed"], found["grain"], found["graph"])


GAME = Game(
    slug="conquest",
    title="Conquest",
    contract="Conquest",
    layout="map",
    start=START,
    reducers={
        **LIFECYCLE,
        "PlayerJoined": player_joined,
        "PlayerLeft": player_left,
        "Map": map_named,
        "Invited": invited,
        "MatchStarted": match_started,
        "Commanded": commanded,
        "Phase": phase_entered,
        "Drawn": drawn,
        "BattleResolved": battle_resolved,
        "Soldiers": soldiers_changed,
        "LandsTaken": lands_taken,
        "PortBuilt": port_built,
        "HeroAt": hero_at,
        "HeroDied": hero_died,
        "ItemAppeared": item_appeared,
        "ItemExpired": item_expired,
        "ItemCollected": item_collected,
        "ItemUsed": item_used,
        "PlayerOut": player_out,
        ENDED: match_ended,
    },
    actions=ACTIONS,
    waits_for_block_after=anchor,
    overdue=duel_overdue,
    due=due,
    rated=has_own_map,
    from_contract=from_contract,
    from_board=from_board,
)
