"""Converts a board, which was folded from events, to a match that the rules can continue."""

from __future__ import annotations

from indexer.gamekit.contract_view import STATUS
from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.model import Json
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.match import PLAYING, ConquestMatch
from indexer.rules.conquest_state.state import NO_DRAW, NONE, ConquestState, ItemOnMap

PHASES = ("reinforcement", "action", "move", "capital")
DRAWS = ("", "first", "turn", "battle", "collect")


def match_of(board: Json, number: int) -> ConquestMatch:
    """Return a match in the state that a board shows, without `seq` (the number of events)."""
    found = ConquestMatch(number, STATUS.index(board["status"]), clock=board.get("clock", 0))
    found.deadline, found.rematch_of = board["deadline"], board.get("rematchOf", 0)
    found.reason = REASONS.index(board.get("reason", REASONS[0]))
    if "map" not in board:
        return found
    found.seed, found.grain = board["map"]["seed"], board["map"]["grain"]
    found.graph = bytes.fromhex(board["map"]["graph"][2:])
    found.accounts, found.invited = [NOBODY] * board["seatCount"], [NOBODY] * board["seatCount"]
    for account, player in board["players"].items():
        found.accounts[player["seat"]] = account
    for seat, account in board.get("invited", {}).items():
        found.invited[int(seat)] = account
    if found.status == PLAYING:
        found.state = _state_of(board, found)
    return found


def _state_of(board: Json, match: ConquestMatch) -> ConquestState:
    graph = LandGraph.read(match.graph)
    state = ConquestState(graph, match.number, tuple(match.accounts), board["ply"], board["trail"])
    state.first = board.get("first", NONE)
    state.mover = match.accounts.index(board["mover"]) if "mover" in board else NONE
    state.phase = PHASES.index(board["phase"])
    if "draw" in board:
        state.draw, state.anchor = DRAWS.index(board["draw"]["kind"]), board["draw"]["block"]
    else:
        state.draw = NO_DRAW
    state.used = frozenset(board.get("used", ()))
    state.attacked, state.built = board.get("attacked", False), board.get("built", False)
    state.pairs = tuple((start, end) for start, end in board.get("attacks", ()))
    state.collecting = board.get("collecting", NONE)
    for seat in range(state.seats):
        _add_seat(state, seat, board["seats"][str(seat)])
    for number in range(graph.lands):
        land = board["lands"][str(number)]
        state.soldiers.append(land["soldiers"])
        state.owners.append(land.get("owner", NONE))
        state.ports |= land.get("port", False) << number
        if "item" in land:
            state.items[number] = ItemOnMap(land["item"]["fat"], land["item"]["turns"])
    return state


def _add_seat(state: ConquestState, number: int, seat: Json) -> None:
    state.alive |= seat["alive"] << number
    state.had_hero |= seat.get("hadHero", False) << number
    state.capitals.append(seat.get("capital", NONE))
    state.heroes.append(seat.get("hero", NONE))
    state.stored.append(seat.get("item", 0))
    state.forced.append(seat.get("forced", 0))
