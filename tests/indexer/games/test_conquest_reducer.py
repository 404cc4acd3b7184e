"""Tests Conquest's reducer alone, without a chain. The reducer must turn each event into the right
change of the board."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.gamekit.game import fold
from indexer.games.conquest import GAME, due, has_own_map
from indexer.games.conquest_graph import Graph, encode_graph
from indexer.games.conquest_map import generate_map
from indexer.model import Event, Json
from tests.indexer.games.purity import assert_pure

A, B, C, NOBODY = (f"0x{digit * 40}" for digit in "abc0")
NOW, CLOCK, HEIGHT = 1_000, 60, 7
LANDS = 12
CHAIN = tuple((1 << land + 1 | (1 << land >> 1)) & (1 << LANDS) - 1 for land in range(LANDS))
GRAPH = "0x" + encode_graph(Graph(CHAIN, (0b11,), (5,) * LANDS, 0b100, tuple(range(LANDS)))).hex()
"""A map of twelve lands in a row. The first two lands have a common lake."""
SEED = "0x" + "5e" * 32
NONE = 255
REINFORCEMENT, ACTION, MOVE, CAPITAL = range(4)
FIRST, TURN, BATTLE, COLLECT = range(1, 5)
WON, DRAW, RESIGNED, TIMEOUT, CANCELLED = 1, 2, 3, 4, 6


def event(name: str, time: int = NOW, height: int = HEIGHT, **args: Any) -> Event:
    return Event(GAME.slug, 1, 1, name, args, height, "0x", time, "0x", 0)


def commanded(ply: int, kind: int, seat: int, data: str = "", time: int = NOW, trail: int = 9) -> Event:
    return event("Commanded", time, ply=ply, kind=kind, seat=seat, data="0x" + data, trail=trail)


def phase(seat: int, which: int, draw: int = 0, height: int = HEIGHT) -> Event:
    return event("Phase", height=height, seat=seat, phase=which, draw=draw)


def drawn(kind: int, trail: int = 8) -> Event:
    return event("Drawn", kind=kind, entropyBlock=HEIGHT + 1, seed=SEED, trail=trail)


def taken(lands: int, start: int, end: int) -> Event:
    return event("LandsTaken", **{"lands": str(lands), "from": start, "to": end})


def soldiers(**changes: int) -> Event:
    """Return an event that sets the number of soldiers on some lands. Each keyword is a land, such
    as `land3`."""
    data = b"".join(bytes([int(land[4:])]) + count.to_bytes(3) for land, count in changes.items())
    return event("Soldiers", changes="0x" + data.hex())


def battle(start: int, end: int, luck: int = 100, damage: int = 2, conquered: bool = False) -> Event:
    ends = {"from": start, "to": end}
    return event("BattleResolved", **ends, attack20=90, needed20=40, luck=luck, damage=damage, conquered=conquered)


def opened(players: int = 2, accounts: tuple[str, ...] = (), grain: int = 60) -> list[Event]:
    first = next((one for one in accounts if one != NOBODY), NOBODY)
    found = [
        event("MatchCreated", creator=A, opponent=first, clock=CLOCK, rematchOf=0),
        event("PlayerJoined", player=A, seat=0),
        event("Map", seed=SEED, grain=grain, players=players, graph=GRAPH),
    ]
    return [*found, event("Invited", accounts=[*accounts])] if accounts else found


def joined(account: str, seat: int) -> Event:
    return event("PlayerJoined", player=account, seat=seat)


def begun() -> list[Event]:
    """Return the events of a match up to the point where the first player must choose a capital.
    Seat 1 plays first, so seat 0 chooses first."""
    return [
        *opened(), joined(B, 1), event("MatchStarted"), phase(NONE, CAPITAL, FIRST), drawn(FIRST), phase(0, CAPITAL),
    ]  # fmt: skip


def in_turn() -> list[Event]:
    """Return the events of a match up to the first turn of seat 1. Seat 0 has its capital on land
    0, and seat 1 on land 4."""
    return [
        *begun(),
        *(commanded(0, 0, 0, "00"), taken(1, NONE, 0), phase(1, CAPITAL)),
        *(commanded(1, 0, 1, "04", NOW + 5), taken(1 << 4, NONE, 1), phase(1, REINFORCEMENT, TURN, 9)),
    ]


def in_action() -> list[Event]:
    return [*in_turn(), drawn(TURN), commanded(2, 1, 1, "04"), soldiers(land4=7), phase(1, ACTION)]


def board(*events: Event) -> Json:
    return fold(GAME, GAME.start, events)


def test_start_is_a_match_that_nobody_opened() -> None:
    start = {"status": "none", "ply": 0, "deadline": 0, "trail": 0, "players": {}, "seats": {}, "lands": {}}
    assert GAME.start == start


def test_lands_and_soldiers_are_there_from_the_map_on() -> None:
    assert board(*opened()) == GAME.start | {
        "status": "open", "clock": CLOCK, "creator": A, "players": {A: {"seat": 0}}, "seatCount": 2,
        "map": {"seed": SEED, "grain": 60, "lands": LANDS, "graph": GRAPH},
        "lands": {str(land): {"soldiers": land} for land in range(LANDS)},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("players", "accounts", "come", "awaited"),
    [
        (2, (B,), (), B),
        (2, (), (), None),
        (3, (B, C), (), B),
        (3, (B, C), ((B, 1),), C),
        (3, (B, C), ((C, 2),), B),
        (3, (B,), (), None),
        (3, (NOBODY, C), (), None),
        (3, (NOBODY, C), ((B, 1),), C),
        (3, (B, C), ((B, 1), (C, 2)), None),
    ],
)
def test_the_opponent_is_who_alone_is_awaited(
    players: int, accounts: tuple[str, ...], come: tuple[tuple[str, int], ...], awaited: str | None
) -> None:
    after = board(*opened(players, accounts), *(joined(*one) for one in come))
    assert after.get("opponent") == awaited
    reserved = {str(seat): one for seat, one in enumerate(accounts, 1) if one != NOBODY}
    assert after.get("invited", {}) == reserved


def test_who_leaves_is_awaited_again() -> None:
    left = event("PlayerLeft", player=B, seat=1)
    after = board(*opened(3, (B,)), joined(B, 1), joined(C, 2), left)
    assert after["players"] == {A: {"seat": 0}, C: {"seat": 2}}
    assert (after["opponent"], after["invited"]) == (B, {"1": B})


def test_the_creators_leaving_cancels_the_match() -> None:
    left = event("PlayerLeft", player=A, seat=0)
    after = board(*opened(), left, event("MatchEnded", winner=NOBODY, reason=CANCELLED))
    assert (after["status"], after["reason"], after["players"]) == ("cancelled", "cancelled", {})
    assert GAME.from_board is not None
    assert GAME.from_board(after)["players"] == [NOBODY, NOBODY]


def test_with_the_last_seat_a_draw_opens_and_nobody_is_to_move() -> None:
    after = board(*begun()[:-2])
    assert after["seats"] == {"0": {"alive": True}, "1": {"alive": True}}
    assert after["draw"] == {"kind": "first", "block": HEIGHT}
    assert (after["status"], after["deadline"], after["phase"]) == ("playing", NOW + CLOCK, "capital")
    assert "mover" not in after
    assert "first" not in after
    assert (due(after), GAME.waits_for_block_after(after)) == ("settle", HEIGHT)


def test_who_chooses_first_plays_last() -> None:
    after = board(*begun())
    assert (after["first"], after["mover"], after["trail"]) == (1, A, 8)
    assert "draw" not in after
    assert (due(after), GAME.waits_for_block_after(after)) == (None, None)


def test_capitals_are_chosen_with_their_soldiers() -> None:
    after = board(*in_turn())
    assert after["seats"] == {"0": {"alive": True, "capital": 0}, "1": {"alive": True, "capital": 4}}
    assert after["lands"]["4"] == {"soldiers": 4, "owner": 1}
    assert (after["mover"], after["phase"], after["ply"]) == (B, "reinforcement", 2)
    assert after["draw"] == {"kind": "turn", "block": 9}
    assert after["deadline"] == NOW + 5 + CLOCK
    assert after["last"] == {"kind": 0, "seat": 1, "data": "0x04", "ply": 1}
    assert after["first"] == 1


def test_a_settlement_restarts_no_clock() -> None:
    late = event("Drawn", NOW + 50, kind=TURN, entropyBlock=8, seed=SEED, trail=3)
    after = board(*in_turn(), late)
    assert (after["deadline"], after["trail"], "draw" in after) == (NOW + 5 + CLOCK, 3, False)


def test_a_reinforcement_counts_soldiers() -> None:
    after = board(*in_action())
    assert (after["lands"]["4"], after["phase"], after["ply"]) == ({"soldiers": 7, "owner": 1}, "action", 3)


def test_a_launch_waits_for_its_draw() -> None:
    launch = [commanded(3, 5, 1, "04030405"), phase(1, ACTION, BATTLE, 12)]
    after = board(*in_action(), *launch)
    assert (after["attacks"], after["attacked"]) == ([[4, 3], [4, 5]], True)
    assert after["draw"] == {"kind": "battle", "block": 12}
    settled = fold(GAME, after, [drawn(BATTLE), battle(4, 3), soldiers(land3=1), battle(4, 5, 0, 0), phase(1, MOVE)])
    assert ("attacks" in settled, "draw" in settled, settled["phase"]) == (False, False, "move")
    assert settled["lands"]["3"]["soldiers"] == 1
    assert settled["last"]["battles"] == [
        {"from": 4, "to": 3, "luck": 100, "damage": 2, "conquered": False},
        {"from": 4, "to": 5, "luck": 0, "damage": 0, "conquered": False},
    ]


def test_a_captured_item_waits_for_its_draw() -> None:
    lies = event("ItemAppeared", land=5, fat=False)
    before = board(*in_turn(), drawn(TURN), lies, *in_action()[-3:])
    assert before["lands"]["5"]["item"] == {"fat": False, "turns": 4}
    after = fold(GAME, before, [commanded(3, 5, 1, "0405"), taken(1 << 5, NONE, 1), phase(1, MOVE, COLLECT)])
    assert (after["collecting"], after["lands"]["5"]["owner"]) == (5, 1)
    assert "attacks" not in after
    collected = event("ItemCollected", seat=1, land=5, item=3)
    kept = fold(GAME, after, [drawn(COLLECT), collected])
    assert (kept["seats"]["1"]["item"], kept["lands"]["5"], "collecting" in kept) == (3, {"soldiers": 5, "owner": 1}, 0)


@pytest.mark.parametrize("item", [0, 5, 6, 7, 8])
def test_what_works_at_once_is_not_stored(item: int) -> None:
    lies = event("ItemAppeared", land=5, fat=item == 8)
    after = board(*in_turn(), lies, event("ItemCollected", seat=1, land=5, item=item))
    assert after["seats"]["1"] == {"alive": True, "capital": 4}
    assert "item" not in after["lands"]["5"]


def test_items_get_older_with_each_turn_and_are_gone_at_last() -> None:
    lies = event("ItemAppeared", land=5, fat=True)
    before = board(*in_turn(), drawn(TURN), lies)
    for turns in (3, 2, 1):
        before = fold(GAME, before, [drawn(TURN)])
        assert before["lands"]["5"]["item"] == {"fat": True, "turns": turns}
    assert fold(GAME, before, [drawn(BATTLE)])["lands"]["5"]["item"]["turns"] == 1
    after = fold(GAME, before, [drawn(TURN), event("ItemExpired", land=5)])
    assert "item" not in after["lands"]["5"]


def test_what_is_used_and_done_counts_until_the_turn_ends() -> None:
    stored = event("ItemCollected", seat=1, land=4, item=3)
    use = [commanded(3, 7, 1), event("ItemUsed", seat=1, item=3)]
    port = [commanded(4, 2, 1, "04"), event("PortBuilt", land=4), phase(1, ACTION)]
    after = board(*in_action(), stored, *use, *port)
    assert (after["used"], after["built"], after["phase"]) == ([3], True, "action")
    assert after["lands"]["4"]["port"] is True
    assert "item" not in after["seats"]["1"]
    assert "attacked" not in after
    following = fold(GAME, after, [commanded(5, 3, 1, "00"), phase(0, REINFORCEMENT, TURN)])
    assert {"used", "attacked", "built"} & set(following) == set()


def test_the_hero_stands_moves_and_dies() -> None:
    after = board(*in_turn(), event("HeroAt", seat=1, land=4))
    assert after["seats"]["1"] == {"alive": True, "capital": 4, "hero": 4, "hadHero": True}
    after = fold(GAME, after, [event("HeroAt", seat=1, land=5), event("HeroDied", seat=1, land=5)])
    assert after["seats"]["1"] == {"alive": True, "capital": 4, "hadHero": True}


def test_forced_passes_are_counted_until_a_command() -> None:
    forced = [commanded(2, 3, 1, "02"), phase(0, REINFORCEMENT, TURN), commanded(3, 3, 0, "00")]
    after = board(*in_turn(), drawn(TURN), *forced, commanded(4, 3, 1, "02"))
    assert (after["seats"]["1"]["forced"], "forced" in after["seats"]["0"]) == (2, False)
    after = fold(GAME, after, [commanded(5, 1, 1, "04")])
    assert "forced" not in after["seats"]["1"]


def test_who_is_out_keeps_nothing() -> None:
    has = [event("HeroAt", seat=0, land=0), event("ItemCollected", seat=0, land=0, item=2)]
    fallen = [event("PlayerOut", seat=0, by=1, reason=WON), taken(1, 0, 1)]
    after = board(*in_action(), *has, *fallen, event("MatchEnded", winner=B, reason=WON))
    assert after["seats"]["0"] == {"alive": False, "hadHero": True}
    assert after["lands"]["0"] == {"soldiers": 0, "owner": 1}
    assert (after["status"], after["winner"], after["deadline"]) == ("finished", B, 0)
    assert {"phase", "mover", "draw"} & set(after) == set()


def test_lands_of_who_surrenders_are_nobodys() -> None:
    out = [commanded(2, 4, 1), event("PlayerOut", seat=1, by=NONE, reason=RESIGNED), taken(1 << 4, 1, NONE)]
    assert board(*in_turn(), *out)["lands"]["4"] == {"soldiers": 4}


@pytest.mark.parametrize(("deadline", "action"), [(NOW + 65, "claimTimeout"), (NOW + 64, None)])
def test_a_clock_that_has_run_out_is_claimed(deadline: int, action: str | None) -> None:
    assert GAME.overdue(board(*in_turn()), deadline) == action


def test_a_match_is_rated_on_the_map_of_its_seed_alone() -> None:
    assert not has_own_map(board(*opened()))
    assert not has_own_map(GAME.start)
    own = "0x" + generate_map(SEED, 60).graph.hex()
    honest = event("Map", seed=SEED, grain=60, players=2, graph=own)
    assert GAME.rated(board(*opened()[:2], honest))
    assert not GAME.rated(board(*opened()[:2], event("Map", seed=SEED, grain=61, players=2, graph=own)))


@pytest.mark.parametrize(("attacks", "gas"), [(None, 0), ([], 0), ([[1, 2]] * 16, 16)])
def test_gas_counts_the_attacks_that_are_open(attacks: list[list[int]] | None, gas: int) -> None:
    move = next(one for one in GAME.actions if one.name == "move")
    assert move.gas_limit({} if attacks is None else {"attacks": attacks}) == move.gas + gas * move.gas_each


def test_no_reducer_changes_the_board_it_is_given() -> None:
    assert_pure(GAME, [
        *opened(3, (B, C)), joined(B, 1), joined(C, 2), event("PlayerLeft", player=C, seat=2), joined(C, 2),
        event("MatchStarted"), phase(NONE, CAPITAL, FIRST), drawn(FIRST), phase(0, CAPITAL),
        *(commanded(0, 0, 0, "00"), taken(1, NONE, 0), phase(1, REINFORCEMENT, TURN), drawn(TURN, 5)),
        event("ItemAppeared", land=3, fat=False), event("ItemAppeared", land=6, fat=True),
        event("ItemExpired", land=6), event("ItemCollected", seat=1, land=3, item=1),
        *(commanded(1, 7, 1), event("ItemUsed", seat=1, item=1), event("PortBuilt", land=1)),
        *(commanded(2, 5, 1, "0100"), phase(1, ACTION, BATTLE), drawn(BATTLE, 6), battle(1, 0), soldiers(land0=9)),
        event("HeroAt", seat=0, land=0), event("HeroDied", seat=0, land=0),
        event("PlayerOut", seat=0, by=1, reason=WON), event("MatchEnded", winner=B, reason=WON),
    ])  # fmt: skip
