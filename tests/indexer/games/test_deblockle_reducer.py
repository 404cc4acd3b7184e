"""Tests Deblockle's reducer alone, without a chain. The reducer must turn each event into the right
change of the board."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import fold
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.indexer.games.purity import assert_pure

GAME = GAMES["deblockle"]
A, B, TOKEN, NOBODY = (f"0x{digit * 40}" for digit in "abc0")
NOW, CLOCK = 1_000, 60
WON, DRAW, CANCELLED = 1, 2, 6
FACES = ("up", "front", "right")
HOPS = 0b11 << 31
"""A set of possible hops, as the contract encodes it: the cells 31 and 32."""


def event(name: str, time: int = NOW, **args: Any) -> Event:
    return Event(GAME.slug, 1, 1, name, args, 7, "0x", time, "0x", 0)


def moved(name: str, ply: int, by: str, cube: int, start: tuple[int, int], to: tuple[int, int], **more: Any) -> Event:
    ends = {"fromX": start[0], "fromY": start[1], "toX": to[0], "toY": to[1]}
    return event(name, ply=ply, player=by, cube=cube, **ends, **more)


def roll(hops: int = 0, ply: int = 0) -> Event:
    """Return player 1's first roll in the example match with one cube per player. `hops` is the set
    of possible hops after the roll."""
    return moved("Rolled", ply, A, 0, (4, 7), (3, 7), up=6, front=3, right=5, hops=str(hops))


def turn(player: str, rolls: int, time: int = NOW) -> Event:
    return event("TurnChanged", time, player=player, rolls=rolls)


def opened(cubes: int = 1, ruleset: int = 0, stake: int = 0, rate: int = 0, clock: int = CLOCK) -> list[Event]:
    terms = {"token": TOKEN if stake else NOBODY, "stake": str(stake), "rate": str(rate)}
    return [
        event("MatchCreated", creator=A, opponent=NOBODY, clock=clock, rematchOf=0),
        event("PlayerJoined", player=A, seat=0),
        event("GameCreated", cubes=cubes, ruleset=ruleset, **terms),
    ]


def begun(rolls: int = 8, **terms: int) -> list[Event]:
    return [*opened(**terms), event("PlayerJoined", player=B, seat=1), event("MatchStarted"), turn(A, rolls)]


def board(*events: Event) -> Json:
    return fold(GAME, GAME.start, events)


def test_start_is_a_match_that_nobody_opened() -> None:
    assert GAME.start == {
        "status": "none", "ply": 0, "deadline": 0, "players": {}, "cubes": {}, "moves": {}, "passes": 0, "quiet": 0,
        "removed": {"0": 0, "1": 0}, "stake": "0", "rate": "0", "width": 7, "height": 7,
    }  # fmt: skip


def test_the_cubes_stand_from_the_invitation_on() -> None:
    assert board(*opened()) == GAME.start | {
        "status": "open", "clock": CLOCK, "creator": A, "setup": 1, "ruleset": "near",
        "players": {A: {"seat": 0, "streamed": 0, "withdrawn": "0"}},
        "cubes": {
            "0": {"seat": 0, "cell": 45, "up": 2, "front": 3, "right": 6},
            "4": {"seat": 1, "cell": 3, "up": 5, "front": 3, "right": 1},
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cubes", "cells"),
    [
        (1, {"0": 45, "4": 3}),
        (2, {"0": 44, "1": 46, "4": 2, "5": 4}),
        (3, {"0": 44, "1": 46, "2": 31, "4": 2, "5": 4, "6": 17}),
        (4, {"0": 30, "1": 32, "2": 44, "3": 46, "4": 2, "5": 4, "6": 16, "7": 18}),
    ],
)
def test_set_ups_are_the_sheets(cubes: int, cells: dict[str, int]) -> None:
    after = board(*opened(cubes, ruleset=1))
    assert {cube: one["cell"] for cube, one in after["cubes"].items()} == cells
    assert all(one["seat"] == int(cube) // 4 for cube, one in after["cubes"].items())
    assert (after["setup"], after["ruleset"]) == (cubes, "board")


def test_who_opened_rolls_first() -> None:
    after = board(*begun())
    assert after == board(*opened()) | {
        "status": "playing", "phase": "roll", "mover": A, "deadline": NOW + CLOCK, "turnStart": NOW,
        "moves": {"0": [44]},
        "players": {who: {"seat": seat, "streamed": 0, "withdrawn": "0"} for seat, who in enumerate((A, B))},
    }  # fmt: skip


def test_rolls_are_cells_by_cube_of_who_is_to_move() -> None:
    """Tests an event that allows the second cube to roll forward, right and left, and the third
    cube to roll backward."""
    before = board(*begun(cubes=3))
    after = fold(GAME, before, [turn(B, 0b0100_1011_0000)])
    assert after["moves"] == {"5": [4 - 7, 3, 5], "6": [24]}
    assert fold(GAME, before, [turn(A, 0)])["moves"] == {}


def test_a_roll_turns_the_cube_and_names_where_it_hops() -> None:
    after = board(*begun(), roll(HOPS))
    assert after == board(*begun()) | {
        "ply": 1, "quiet": 1, "phase": "hop", "hopper": 0, "moves": {"0": [31, 32]},
        "cubes": {**board(*begun())["cubes"], "0": {"seat": 0, "cell": 44, "up": 6, "front": 3, "right": 5}},
        "last": {"kind": "roll", "cube": 0, "from": 45, "to": 44, "by": A},
    }  # fmt: skip


def test_a_roll_that_hops_nowhere_offers_nothing_until_the_turn_changes() -> None:
    after = board(*begun(), roll())
    assert (after["moves"], after["phase"], after["mover"], "hopper" in after) == ({}, "roll", A, False)
    following = fold(GAME, after, [turn(B, 2, NOW + 9)])
    assert (following["mover"], following["moves"], following["turnStart"]) == (B, {"4": [4]}, NOW + 9)
    assert following["deadline"] == NOW + 9 + CLOCK


def test_a_hop_moves_the_cube_as_it_is() -> None:
    hop = moved("Hopped", 1, A, 0, (3, 7), (4, 5))
    before = board(*begun(), roll(HOPS))
    after = fold(GAME, before, [hop, turn(B, 2)])
    assert after["cubes"]["0"] == {**before["cubes"]["0"], "cell": 31}
    assert after["last"] == {"kind": "hop", "cube": 0, "from": 44, "to": 31, "by": A}
    assert (after["ply"], after["quiet"], after["phase"], "hopper" in after) == (2, 2, "roll", False)


def test_passes_are_counted_until_somebody_moves() -> None:
    one = event("Passed", ply=0, player=A, phase=0)
    other = event("Passed", ply=1, player=B, phase=0)
    after = board(*begun(), one, turn(B, 2), other, turn(A, 8))
    assert (after["ply"], after["passes"], after["quiet"]) == (2, 2, 2)
    assert after["last"] == {"kind": "pass", "by": B}
    moved_on = fold(GAME, after, [roll(HOPS, ply=2)])
    assert (moved_on["passes"], moved_on["quiet"]) == (0, 3)
    let_go = fold(GAME, moved_on, [event("Passed", ply=3, player=A, phase=1), turn(B, 2)])
    assert ("hopper" in let_go, let_go["phase"], let_go["passes"]) == (False, "roll", 1)


def test_a_removed_cube_is_gone_and_nothing_is_quiet_any_more() -> None:
    before = board(*begun(cubes=2), roll())
    after = fold(GAME, before, [event("Removed", player=A, cube=0, left=1)])
    assert list(after["cubes"]) == ["1", "4", "5"]
    assert (after["removed"], after["quiet"], before["quiet"]) == ({"0": 1, "1": 0}, 0, 1)


@pytest.mark.parametrize(
    ("stake", "rate", "clock", "seconds", "dry"),
    [
        (1_000, 2, 600, 0, NOW + 500),
        (1_000, 2, 60, 0, NOW + 500),
        (1_001, 2, 600, 40, NOW + 461),
        (1_000, 2, 600, 700, NOW),
    ],
)
def test_the_deadline_is_the_clocks_or_when_the_deposit_of_who_waits_is_used_up(
    stake: int, rate: int, clock: int, seconds: int, dry: int
) -> None:
    events = begun(stake=stake, rate=rate, clock=clock)
    after = board(*events[:-1], event("Streamed", player=B, total=seconds), turn(A, 8))
    assert (after["runsDry"], after["deadline"]) == (dry, min(dry, NOW + clock))
    assert (after["stake"], after["rate"], after["token"]) == (str(stake), str(rate), TOKEN)


def test_seconds_and_payments_are_kept_by_player() -> None:
    events = [event("Streamed", player=B, total=7), event("Streamed", player=A, total=5)]
    events += [event("Streamed", player=B, total=9), event("Withdrawn", account=B, token=TOKEN, amount="12")]
    events += [event("Withdrawn", account=B, token=TOKEN, amount="3")]
    after = board(*begun(stake=1_000, rate=2), *events)
    assert after["players"] == {
        A: {"seat": 0, "streamed": 5, "withdrawn": "0"},
        B: {"seat": 1, "streamed": 9, "withdrawn": "15"},
    }


def test_a_friendly_match_without_a_clock_has_no_deadline() -> None:
    after = board(*begun(clock=0))
    assert (after["deadline"], after["turnStart"], "runsDry" in after, "token" in after) == (0, NOW, False, False)


@pytest.mark.parametrize(
    ("winner", "reason", "told"),
    [
        (A, WON, {"status": "finished", "reason": "won", "winner": A}),
        (NOBODY, DRAW, {"status": "finished", "reason": "draw"}),
        (NOBODY, CANCELLED, {"status": "cancelled", "reason": "cancelled"}),
    ],
)
def test_at_the_end_nobody_moves_and_nothing_streams(winner: str, reason: int, told: Json) -> None:
    before = board(*begun(stake=1_000, rate=2), roll(HOPS))
    after = fold(GAME, before, [event("MatchEnded", winner=winner, reason=reason)])
    kept = {
        key: value for key, value in before.items() if key not in ("mover", "phase", "hopper", "turnStart", "runsDry")
    }
    assert after == kept | {"deadline": 0, "moves": {}} | told


def test_no_reducer_changes_the_board_it_is_given() -> None:
    story = [
        *begun(cubes=2, stake=1_000, rate=2), roll(HOPS), moved("Hopped", 1, A, 0, (3, 7), (4, 5)),
        event("Streamed", player=B, total=5), turn(B, 2), event("Passed", ply=2, player=B, phase=0), turn(A, 8),
        event("Removed", player=A, cube=0, left=1), event("MatchEnded", winner=A, reason=WON),
        event("Withdrawn", account=A, token=TOKEN, amount="5"),
    ]  # fmt: skip
    assert_pure(GAME, story)


def test_actions_are_functions_of_the_contract() -> None:
    abi = load(GAME.contract).abi
    changing = {
        f"{one['name']}({','.join(part['type'] for part in one['inputs'])})": one["stateMutability"]
        for one in abi
        if one["type"] == "function" and one["stateMutability"] not in ("view", "pure")
    }
    actions = with_signatures(GAME, abi).actions
    assert {action.signature for action in actions} == set(changing)
    assert all((action.deposit is not None) == (changing[action.signature] == "payable") for action in actions)


def test_what_is_typed_in_units_of_the_token_says_so() -> None:
    inputs = {one.name: one for one in GAME.actions[0].inputs}
    assert [inputs[name].token for name in ("stake", "rate")] == ["token", "token"]
    assert [value for value, _ in inputs["cubes"].options] == [1, 2, 3, 4]
    assert [value for value, _ in inputs["ruleset"].options] == [0, 1]
