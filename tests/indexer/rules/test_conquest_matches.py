"""Tests whole Conquest matches in the engine, which implements the rules in Python: opening and
joining, permissions, clocks and random draws. Matches with random commands can be replayed from
their history."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.games.conquest_history import commands
from indexer.model import Event
from indexer.rules.call import Call, CallBlock, Emitted, IllegalMove
from indexer.rules.conquest_state.chance import NO_HASH, Chance
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.history import apply, data_of
from indexer.rules.conquest_state.match import HISTORY_SERVE_WINDOW, ConquestMatch
from indexer.rules.conquest_state.state import ConquestState
from tests.support.conquest.invariants import changes_of, check_position, check_soldiers
from tests.support.conquest.maps import VECTORS, random_graph, row_of_lands
from tests.support.conquest.play import random_command, wrong_command
from tests.support.conquest.rejections import BAD_MAPS, ISLANDS_JOINED_BY_WATER
from tests.support.conquest.states import ACCOUNTS, MATCH, without_events

NOBODY = "0x" + 40 * "0"
A, B, C, D = ACCOUNTS[:4]
STRANGER = "0x" + 40 * "9"
CLOCK = 600


def hash_of(height: int) -> bytes:
    return sha256(height.to_bytes(8)).digest()


class EngineTable:
    """A match that only the engine plays. Before each call, the block height increases by two and
    the time by one second."""

    def __init__(self, salt: int = 0) -> None:
        self.match, self.height, self.time, self.salt = ConquestMatch(MATCH), 100, 1_000, salt << 32
        self.history: list[Emitted] = []

    def call(self, account: str, action: str, **arguments: Any) -> list[Emitted]:
        self.height, self.time = self.height + 2, self.time + 1
        block = CallBlock(self.height, self.time, 0, lambda height: hash_of(self.salt + height))
        found = self.match.apply_call(Call(account, action, arguments, MATCH, MATCH + 1, block))
        self.history += found
        return found

    def create(self, **more: Any) -> list[Emitted]:
        terms = {"seed": "0x" + 64 * "5", "grain": 76, "players": 2, "invited": [], "clock": CLOCK, "rematchOf": 0}
        return self.call(A, "create", **{**terms, "graph": "0x" + row_of_lands(8).hex(), **more})

    def begin(self, graph: bytes, players: int) -> None:
        self.create(players=players, graph="0x" + graph.hex())
        for account in ACCOUNTS[1:players]:
            self.call(account, "join")

    def command(self, action: str, **arguments: Any) -> list[Emitted]:
        state = self.state
        return self.call(state.accounts[state.mover], action, ply=state.ply, trail=state.trail, **arguments)

    def refused(self, account: str, action: str, **arguments: Any) -> tuple[Any, ...]:
        before = self.match.seq, self.match.state and without_events(self.match.state)
        with pytest.raises(CustomError) as error:
            self.call(account, action, **arguments)
        assert (self.match.seq, self.match.state and without_events(self.match.state)) == before
        return error.value.args

    @property
    def state(self) -> ConquestState:
        assert self.match.state is not None
        return self.match.state


# ---- the lobby


def test_a_match_is_opened_joined_and_begun() -> None:
    table = EngineTable()
    graph = "0x" + row_of_lands(12).hex()
    created = {"creator": A, "opponent": C, "clock": CLOCK, "rematchOf": 0}
    assert table.create(players=3, invited=[NOBODY, C], graph=graph) == [
        ("MatchCreated", created),
        ("PlayerJoined", {"player": A, "seat": 0}),
        ("Map", {"seed": "0x" + 64 * "5", "grain": 76, "players": 3, "graph": graph}),
        ("Invited", {"accounts": [NOBODY, C]}),
    ]
    assert table.call(B, "join") == [("PlayerJoined", {"player": B, "seat": 1})]
    assert table.refused(D, "join") == ("NotInvited", MATCH, D, C)
    assert table.refused(B, "join") == ("SamePlayer", B)
    assert table.call(B, "leave") == [("PlayerLeft", {"player": B, "seat": 1})]
    assert table.call(C, "join") == [("PlayerJoined", {"player": C, "seat": 2})]
    assert table.call(C, "leave") == [("PlayerLeft", {"player": C, "seat": 2})]
    assert table.call(D, "join") == [("PlayerJoined", {"player": D, "seat": 1})]
    assert table.refused(B, "join") == ("NotInvited", MATCH, B, C)
    started = [("MatchStarted", {}), ("Phase", {"seat": 255, "phase": 3, "draw": 1})]
    assert table.call(C, "join") == [("PlayerJoined", {"player": C, "seat": 2}), *started]
    assert table.match.deadline == table.time + CLOCK
    assert table.refused(B, "join") == ("WrongStatus", MATCH, 2, 1)
    assert table.refused(A, "leave") == ("WrongStatus", MATCH, 2, 1)


def test_the_creators_leaving_cancels() -> None:
    table = EngineTable()
    table.create(players=3, graph="0x" + row_of_lands(12).hex())
    table.call(B, "join")
    assert table.refused(C, "leave") == ("NotAPlayer", MATCH, C)
    over = ("MatchEnded", {"winner": NOBODY, "reason": 6})
    assert table.call(A, "leave") == [("PlayerLeft", {"player": A, "seat": 0}), over]
    assert table.refused(C, "join") == ("WrongStatus", MATCH, 4, 1)


@pytest.mark.parametrize(("graph", "fault", "limit"), BAD_MAPS)
def test_a_map_with_a_fault_is_rejected(graph: bytes, fault: int, limit: int) -> None:
    assert EngineTable().refused(A, "create", **terms(graph="0x" + graph.hex())) == ("BadMap", fault, limit)


def terms(**more: Any) -> dict[str, Any]:
    found = {"seed": "0x" + 64 * "5", "grain": 76, "players": 2, "invited": [], "clock": CLOCK, "rematchOf": 0}
    return {**found, "graph": "0x" + row_of_lands(8).hex(), **more}


def test_the_sea_joins_islands() -> None:
    EngineTable().create(graph="0x" + ISLANDS_JOINED_BY_WATER.hex())


@pytest.mark.parametrize("vector", VECTORS["maps"], ids=range(len(VECTORS["maps"])))
def test_the_maps_of_the_vectors_are_accepted(vector: Any) -> None:
    table = EngineTable()
    table.create(seed=vector["seed"], grain=vector["grain"], graph=vector["graph"])
    graph = LandGraph.read(table.match.graph)
    assert (graph.lands, len(graph.waters)) == (vector["lands"], vector["seas"])


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"players": 1}, ("BadPlayers", 1, 2, 6)),
        ({"players": 7}, ("BadPlayers", 7, 2, 6)),
        ({"invited": [B, C]}, ("BadPlayers", 2, 0, 1)),
        ({"grain": 47}, ("BadGrain", 47, 48, 200)),
        ({"grain": 201}, ("BadGrain", 201, 48, 200)),
        ({"clock": 59}, ("BadClock", 59, 60, 2_592_000)),
        ({"clock": 2_592_001}, ("BadClock", 2_592_001, 60, 2_592_000)),
        ({"invited": [A]}, ("SamePlayer", A)),
        ({"players": 3, "invited": [B, B], "graph": "0x" + row_of_lands(12).hex()}, ("SamePlayer", B)),
        ({"players": 3}, ("BadMap", 2, 8)),
    ],
)
def test_terms_that_are_none_are_rejected(more: dict[str, Any], error: tuple[Any, ...]) -> None:
    assert EngineTable().refused(A, "create", **terms(**more)) == error


# ---- permissions


def test_who_may_call_what_when() -> None:
    table = EngineTable()
    assert table.refused(A, "join") == ("NoSuchMatch", MATCH)
    table.begin(row_of_lands(8), 2)
    at, named = table.match.state, {"ply": 0, "trail": 0}
    assert at is not None
    table.height -= 1
    assert table.refused(STRANGER, "settle") == ("TooSoon", table.height, at.anchor + 2)
    table.height -= 2
    assert table.refused(A, "chooseCapital", **named, land=0) == ("TooSoon", table.height, at.anchor + 2)
    assert table.refused(STRANGER, "chooseCapital", ply=1, trail=0, land=0) == ("StaleMove", 0, 1)
    table.call(STRANGER, "settle")
    assert table.refused(STRANGER, "settle") == ("NothingToSettle",)
    mover, other = table.state.accounts[table.state.mover], table.state.accounts[1 - table.state.mover]
    named = {"ply": 0, "trail": table.state.trail}
    assert table.refused(STRANGER, "surrender", ply=9, trail=0) == ("NotAPlayer", MATCH, STRANGER)
    assert table.refused(other, "surrender", ply=9, trail=0) == ("StaleMove", 0, 9)
    assert table.refused(other, "surrender", **named) == ("NotYourTurn", MATCH, other, mover)
    assert table.refused(mover, "surrender", ply=0, trail=1) == ("OtherPosition", table.state.trail, 1)
    assert table.refused(mover, "claimTimeout") == ("NotExpired", table.time, table.match.deadline)
    table.call(mover, "surrender", **named)
    assert table.match.deadline == 0
    assert table.refused(STRANGER, "settle") == ("WrongStatus", MATCH, 3, 2)
    assert table.refused(STRANGER, "claimTimeout") == ("WrongStatus", MATCH, 3, 2)
    with pytest.raises(IllegalMove, match="there is no action"):
        table.call(A, "withdraw")


def test_the_first_command_settles_who_is_first() -> None:
    """Tests that the first command also settles the random draw that decides the first player.
    Before this command, it is no player's turn."""
    table = EngineTable()
    table.begin(row_of_lands(8), 2)
    other = EngineTable()
    other.match, other.height, other.time = table.match.__class__(MATCH), table.height, table.time
    drawn = table.state.copy()
    drawn.height = table.height + 2
    carry_out(drawn, hash_of(table.state.anchor + 1))
    mover, waits = drawn.accounts[drawn.mover], drawn.accounts[1 - drawn.mover]
    named = {"ply": 0, "trail": drawn.trail, "land": 3}
    assert table.refused(waits, "chooseCapital", **named) == ("NotYourTurn", MATCH, waits, mover)
    found = table.call(mover, "chooseCapital", **named)
    assert [name for name, _ in found] == ["Drawn", "Phase", "Commanded", "LandsTaken", "Phase"]


@pytest.mark.parametrize(
    ("age", "gone"), [(1, False), (256, False), (HISTORY_SERVE_WINDOW, False), (HISTORY_SERVE_WINDOW + 1, True)]
)
def test_a_seed_that_no_contract_remembers_is_gone(age: int, gone: bool) -> None:
    table = EngineTable()
    table.begin(row_of_lands(8), 2)
    decides = table.state.anchor + 1
    table.height = decides + age - 2
    (_, drawn), *_ = table.call(STRANGER, "settle")
    assert drawn["seed"] == "0x" + (NO_HASH if gone else hash_of(decides)).hex()
    assert drawn["entropyBlock"] == decides
    assert (table.state.first == 0) >= gone


def test_a_sleeper_is_passed_over_and_then_out() -> None:
    table = EngineTable()
    table.begin(row_of_lands(12), 3)
    for land in (0, 4, 8):
        if table.state.draw:
            table.call(STRANGER, "settle")
        table.command("chooseCapital", land=land)
    seen = Counter[str]()
    while table.match.status == 2:
        table.time += CLOCK
        found = table.call(STRANGER, "claimTimeout")
        assert [name for name, _ in found][:2] == ["Drawn", "Commanded"]
        assert table.match.deadline in (0, table.time + CLOCK)
        seen.update(name for name, _ in found)
    assert (seen["Commanded"], seen["PlayerOut"], table.match.reason) == (8, 2, 4)


# ---- whole matches


def played(seed: int, most: int = 400) -> EngineTable:
    """Play a match of 2 to 6 players with random commands. Some commands are illegal, and some
    players miss their turns. Check the invariants after each call."""
    random, table = Random(seed), EngineTable(seed)
    players = random.randint(2, 6)
    table.begin(random_graph(random, random.randint(4 * players, 5 * players + 4)), players)
    for _ in range(most):
        if table.match.status != 2:
            break
        before = table.state.copy()
        found = one_call(table, random)
        check_position(table.state)
        check_soldiers(before, found, table.state)
        for name, args in found:
            if name == "Soldiers":
                assert all(table.state.soldiers[land] >= 0 for land, _ in changes_of(args))
    return table


def one_call(table: EngineTable, random: Random) -> list[Emitted]:
    if random.random() < 0.02:
        table.time += CLOCK
        return table.call(STRANGER, "claimTimeout")
    if table.state.draw:
        return table.call(STRANGER, "settle")
    if random.random() < 0.1:
        action, arguments = wrong_command(table.state, random)
        with suppress(IllegalMove):
            return table.command(action, **arguments)
    action, arguments = random_command(table.state, random)
    return table.command(action, **arguments)


@pytest.mark.parametrize("seed", range(25))
def test_a_random_match_and_its_replay(seed: int) -> None:
    """Tests a replay of a match, with the match's commands and the seeds of its random draws. The
    replay must have the same events and the same state as the match."""
    table = played(seed)
    begun = next(at for at, (name, _) in enumerate(table.history) if name == "Phase")
    again = ConquestState.begun(LandGraph.read(table.match.graph), MATCH, table.state.accounts)
    for name, args in table.history[begun:]:
        if name == "Drawn":
            again.anchor = args["entropyBlock"] - 1
            carry_out(again, bytes.fromhex(args["seed"][2:]))
        elif name == "Commanded":
            apply(again, args["kind"], bytes.fromhex(args["data"][2:]))
    assert again.events == table.history[begun:]
    assert without_events(again) == without_events(table.state)


@pytest.mark.parametrize("seed", range(60, 66))
def test_a_replay_from_what_the_http_interface_lists(seed: int) -> None:
    table = played(seed)
    begun = next(at for at, (name, _) in enumerate(table.history) if name == "Phase")
    again = ConquestState.begun(LandGraph.read(table.match.graph), MATCH, table.state.accounts)
    events = [
        Event("conquest", MATCH, number, name, args, 1, "", 1, "", number)
        for number, (name, args) in enumerate(table.history[begun:])
        if name in ("Commanded", "Drawn")
    ]
    listed, last = commands(events)
    for command in [*listed, {"draw": last}]:
        if (draw := command.get("draw")) is not None:
            carry_out(again, bytes.fromhex(draw["seed"][2:]))
        if "type" in command:
            apply(again, command["type"], data_of(command))
    assert without_events(again) == without_events(table.state)


def test_random_matches_show_all_there_is() -> None:
    seen, items, reasons = Counter[str](), set(), set()
    for seed in range(25, 43):
        table = played(seed, 1_500)
        seen.update(name for name, _ in table.history)
        items |= {args["item"] for name, args in table.history if name == "ItemCollected"}
        reasons |= {args["reason"] for name, args in table.history if name in ("PlayerOut", "MatchEnded")}
    assert items >= set(range(1, 9))
    assert reasons >= {1, 3, 4}
    assert set(seen) >= {"PortBuilt", "HeroAt", "HeroDied", "ItemExpired", "ItemUsed", "BattleResolved"}


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**48 - 1), st.integers(0, 2**32 - 1), st.integers(0, 15))
def test_luck_is_80_to_120(seed: bytes, match: int, ply: int, index: int) -> None:
    assert 80 <= Chance(seed, match, ply).luck(index) <= 120


def test_luck_is_fair() -> None:
    found = [Chance(hash_of(number), MATCH, 3).luck(0) for number in range(4_000)]
    assert abs(sum(found) / len(found) - 100) < 1
    assert set(found) == set(range(80, 121))
