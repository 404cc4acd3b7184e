"""Tests the HTTP routes that only Conquest has, on a real server: a match's history and state, and
the preparation of commands. The server turns a command into a transaction but doesn't sign it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from api.rest import conquest as routes
from indexer.games import GAMES
from indexer.games.conquest_map import SIDE, WATER, generate_map
from indexer.model import Json
from indexer.store.store import Store
from tests.support.conquest.table import GRAIN, ConquestTable
from tests.support.http import local
from tests.support.players import rpc_call, wait_for_json
from tests.support.server import up_deployed

STALE_SEED = (10**6).to_bytes(32)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConquestTable]:
    data = tmp_path_factory.mktemp("conquest")
    with up_deployed(data) as server:
        yield ConquestTable(server, data)


@pytest.fixture(scope="module")
def played(table: ConquestTable) -> int:
    """Play a match until both players have a capital and the contract has settled the random draw
    that decides who moves first. Return the match's number."""
    match = table.begun()
    table.settle(match)
    for _ in range(2):
        state = table.state(match)
        land = max((land for land in state["lands"] if "owner" not in land), key=lambda one: one["soldiersNumber"])
        table.give(match, state["currentPlayer"], type=0, landId=land["id"])
    table.settle(match)
    return match


def answer(table: ConquestTable, path: str) -> tuple[int, Json]:
    found = local.get(table.server.url + path)
    return found.status_code, found.json()


# ---- tests of a match's history


def test_the_history_is_what_was_commanded_and_what_chance_decided(table: ConquestTable, played: int) -> None:
    told = table.commands(played)
    assert [(one["index"], one["type"]) for one in told["commands"]] == [(0, 0), (1, 0)]
    first, second = told["commands"]
    assert (first["draw"]["kind"], "draw" in second, told["draw"]["kind"]) == ("first", False, "turn")
    events = table.server.get("/api/events?game=conquest&name=Drawn&limit=1000")["events"]
    drawn = [one for one in events if one["match"] == f"conquest/{played}"]
    assert [one["draw"]["seed"] for one in (first, told)] == [one["args"]["seed"] for one in drawn]
    assert {one["playerId"] for one in told["commands"]} == {0, 1}


def test_a_client_that_has_some_commands_gets_the_rest(table: ConquestTable, played: int) -> None:
    every = table.commands(played)
    for known in range(3):
        assert table.commands(played, known) == {**every, "commands": every["commands"][known:]}
    status, problem = answer(table, table.path(played, "commands?from=3"))
    assert (status, problem["code"], problem["commands"]) == (400, "bad-index", 2)


@pytest.mark.parametrize("known", ["-1", "x", "1.5", str(2**32)])
def test_an_index_is_a_whole_number(table: ConquestTable, played: int, known: str) -> None:
    status, problem = answer(table, table.path(played, f"commands?from={known}"))
    assert (status, problem["code"]) == (422, "bad-parameter")


def test_a_match_that_waits_for_players_has_no_history(table: ConquestTable) -> None:
    match = table.opened(3)
    assert table.commands(match) == {"match": f"conquest/{match}", "commands": []}


@pytest.mark.parametrize("what", ["commands", "state"])
def test_a_match_that_is_not_there(table: ConquestTable, what: str) -> None:
    status, problem = answer(table, table.path(999_999, what))
    assert (status, problem["code"]) == (404, "unknown-match")


def test_a_long_history_is_read_back_from_its_end(
    table: ConquestTable, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the server can return a history that doesn't fit into one chunk of events. The
    test limits a chunk to one event, so the server needs several chunks."""

    database = next(one for one in table.data.glob("*.db") if "index" in one.name)
    monkeypatch.setattr(routes, "CHUNK", 1)
    store = Store(f"sqlite:///{database}", GAMES)
    try:
        with store.read() as snapshot:
            for first, names in ((0, 4), (1, 3), (2, 2)):
                found = routes._events_from(snapshot, played, first)
                assert len(found) == names
                assert [one.seq for one in found] == sorted(one.seq for one in found)
    finally:
        store.close()


# ---- tests of a match's state


def test_the_state_tells_players_lands_and_cells(table: ConquestTable, played: int) -> None:
    state = table.server.get(table.path(played, "state"))
    view, board = table.view(played), table.server.get(f"/api/matches/conquest/{played}")["board"]
    assert [player["account"] for player in state["players"]] == view["players"]
    assert [player["headquarters"] for player in state["players"]] == view["capitals"]
    assert [land["soldiersNumber"] for land in state["lands"]] == view["soldiers"]
    assert (state["commands"], state["trail"], state["currentPlayer"]) == (2, view["trail"], view["mover"])
    assert (state["currentStep"], state["activatedItem"], state["status"]) == (0, 0, "playing")
    assert state["graph"] == board["map"]["graph"]
    owned = {land["id"]: land["owner"] for land in state["lands"] if "owner" in land}
    assert owned == {capital: seat for seat, capital in enumerate(view["capitals"])}
    cells = generate_map(state["seed"], GRAIN).cells
    assert [one["land"] for one in state["cells"]] == [*cells]
    assert [(one["x"], one["y"]) for one in state["cells"]] == [(at % SIDE, at // SIDE) for at in range(SIDE**2)]
    beside = {
        (cells[at], cells[at + step])
        for at in range(SIDE**2 - SIDE)
        for step in (1, SIDE)
        if (step == SIDE or (at + 1) % SIDE) and cells[at] != cells[at + step]
    }
    borders = {(one, other) for one, other in beside if one < WATER and other < WATER}
    told = {(land["id"], near) for land in state["lands"] for near in land["neighborLands"]}
    assert {*borders, *((other, one) for one, other in borders)} <= told


def test_the_state_at_each_event_is_that_of_its_board(table: ConquestTable, played: int) -> None:
    """Tests that the state at each event equals the state of the board at this event. Before its
    third event, a match has no map, so there is no state."""
    for seq in range(1, table.state(played)["seq"] + 1):
        state = table.state(played, seq=seq)
        if seq < 3:
            assert (state["status"], state["code"]) == (404, "no-map")
            continue
        board = table.server.get(f"/api/matches/conquest/{played}?seq={seq}")["board"]
        assert (state["commands"], state["trail"], state["status"]) == (board["ply"], board["trail"], board["status"])
        assert ("draw" in state) == ("draw" in board)
        assert len(state["players"]) == len(board["players"])
    status, problem = answer(table, table.path(played, "state?seq=9999"))
    assert (status, problem["code"]) == (404, "unknown-seq")


def test_a_foreign_map_has_no_cells(table: ConquestTable) -> None:
    match = table.opened(graph=generate_map(STALE_SEED, GRAIN).graph)
    state = table.server.get(table.path(match, "state"))
    assert "cells" not in state
    assert len(state["lands"]) == generate_map(STALE_SEED, GRAIN).graph[0]


# ---- tests of prepared commands


def body(table: ConquestTable, match: int, **more: Any) -> Json:
    """Return the body of a request that prepares a command. The sender is the player whose turn it
    is. `more` contains the request's other fields."""
    seat = table.state(match)["currentPlayer"]
    return {"from": table.accounts[seat], "playerId": seat, **more}


def test_a_prepared_command_is_a_transaction_of_its_player(table: ConquestTable, played: int) -> None:
    seat = table.state(played)["currentPlayer"]
    capital = table.view(played)["capitals"][seat]
    status, call = table.prepare(played, body(table, played, type=1, landId=capital))
    assert status == 200
    assert set(call) == {"from", "to", "data", "value", "gas", "chainId"}
    assert (call["from"], call["to"], call["value"]) == (table.accounts[seat], table.game["address"], "0x0")
    assert int(call["chainId"], 16) == table.server.get("/api/health")["chainId"]
    actions = {action["name"]: action for action in table.game["actions"]}
    assert int(call["gas"], 16) == actions["reinforce"]["gas"]["base"]


REFUSED = [
    ({"type": 1, "landId": 96}, "NoSuchLand", "There is no land 96"),
    ({"type": 0, "landId": 0}, "WrongPhase", "in this phase"),
    ({"type": 7}, "NoItem", "no item"),
    ({"type": 3, "phaseOnly": True}, "WrongPhase", "in this phase"),
    ({"type": 3, "index": 1}, "StaleMove", "This is command 1, but the match is waiting for command 2."),
    ({"type": 3, "trail": 5}, "OtherPosition", "The position has changed"),
    ({"type": 5, "interactions": []}, "WrongPhase", "in this phase"),
]


@pytest.mark.parametrize(("command", "error", "words"), REFUSED, ids=[error for _, error, _ in REFUSED])
def test_what_the_contract_refuses_is_said_in_words(
    table: ConquestTable, played: int, command: Json, error: str, words: str
) -> None:
    status, problem = table.prepare(played, body(table, played, **command))
    assert (status, problem["code"], problem["error"]) == (403, "command-refused", error)
    assert words in problem["detail"]


def test_a_player_gives_commands_of_its_own_seat_only(table: ConquestTable, played: int) -> None:
    mover = table.state(played)["currentPlayer"]
    other, stranger = table.accounts[1 - mover], table.accounts[5]
    for sender in (other, stranger):
        status, problem = table.prepare(played, {"from": sender, "playerId": mover, "type": 3})
        assert (status, problem["code"]) == (403, "other-seat")
    status, problem = table.prepare(played, {"from": other, "playerId": 1 - mover, "type": 3})
    assert (status, problem["error"]) == (403, "NotYourTurn")


def test_a_command_waits_for_players_and_for_chance(table: ConquestTable) -> None:
    match = table.opened()
    command = {"from": table.accounts[0], "playerId": 0, "type": 3}
    assert table.prepare(match, command)[1]["error"] == "WrongStatus"
    table.send(table.accounts[1], "join", match)
    table.settle(match)
    mover = table.state(match)["currentPlayer"]
    free = table.state(match)["lands"]
    table.give(match, mover, type=0, landId=free[0]["id"])
    table.give(match, 1 - mover, type=0, landId=free[-1]["id"])
    state = table.state(match)
    assert state["draw"]["kind"] == "turn"
    table.decided(match)
    table.give(match, state["currentPlayer"], type=1, landId=table.view(match)["capitals"][state["currentPlayer"]])
    last = table.commands(match, 2)["commands"][0]
    assert (last["type"], last["draw"]["kind"]) == (1, "turn"), "the next command settled the draw"


def test_a_draw_is_known_by_the_node_where_its_block_is_left_out_of_the_history(table: ConquestTable) -> None:
    match = table.begun()
    table.settle(match)
    for _ in range(2):
        state = table.state(match)
        land = next(land for land in state["lands"] if "owner" not in land)
        table.give(match, state["currentPlayer"], type=0, landId=land["id"])
    height = table.state(match)["draw"]["block"]
    rpc_call(table.node, "anvil_mine", hex(3))
    wait_for_json(table.server, "/api/health", lambda health: health["indexedHead"] > height)
    with closing(sqlite3.connect(table.data / "index.db")) as database, database:
        database.execute("INSERT INTO sparse VALUES (?)", (height,))
        assert database.execute("DELETE FROM block WHERE height = ?", (height,)).rowcount == 1
    seat = table.state(match)["currentPlayer"]
    table.give(match, seat, type=1, landId=table.view(match)["capitals"][seat])
    assert table.commands(match, 2)["commands"][0]["draw"]["kind"] == "turn"


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"type": 8},
        {"type": "1", "landId": 1},
        {"type": True, "landId": 1},
        {"type": 1},
        {"type": 1, "landId": -1},
        {"type": 1, "landId": 256},
        {"type": 3, "phaseOnly": 1},
        {"type": 5},
        {"type": 5, "interactions": {}},
        {"type": 5, "interactions": [1]},
        {"type": 5, "interactions": [{"landOne": 1}]},
        {"type": 6, "interaction": {"landOne": 1, "landTwo": 2}, "ratio": 0.3, "hero": False},
        {"type": 6, "interaction": {"landOne": 1, "landTwo": 2}, "ratio": True, "hero": False},
        {"type": 6, "interaction": {"landOne": 1, "landTwo": 2}, "ratio": 0.5},
        {"type": 6, "ratio": 0.5, "hero": False},
        {"type": 3, "playerId": 6},
        {"type": 3, "playerId": None},
        {"type": 3, "from": "0x12"},
        {"type": 3, "from": None},
        {"type": 3, "index": -1},
        {"type": 3, "trail": 2**32},
    ],
    ids=str,
)
def test_a_body_that_is_no_command(table: ConquestTable, played: int, command: Json) -> None:
    status, problem = table.prepare(played, body(table, played) | command)
    assert (status, problem["code"]) == (422, "bad-parameter")


def test_a_body_that_is_no_object(table: ConquestTable, played: int) -> None:
    assert table.prepare(played, [1])[1]["code"] == "bad-parameter"
    url = table.server.url + table.path(played, "prepare")
    broken = local.post(url, content=b"{", headers={"content-type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (400, "malformed-json")
    plain = local.post(url, content=b"{}", headers={"content-type": "text/plain"})
    assert (plain.status_code, plain.json()["code"]) == (415, "not-json")
    missing = local.post(table.server.url + table.path(999_999, "prepare"), json={})
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown-match")
