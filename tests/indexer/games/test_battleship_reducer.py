"""Tests Battleship's reducer alone, without a chain. The reducer must turn each event into the
right change of the board."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import fold
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.indexer.games.purity import assert_pure

GAME = GAMES["battleship"]
A, B, TOKEN, NOBODY = (f"0x{digit * 40}" for digit in "abc0")
SEAL_A, SEAL_B, NONCE = (f"0x{digit * 64}" for digit in "125")
TIMEOUT, WON, CHEATING, CANCELLED = 4, 1, 5, 6
DAY = 86_400


def event(name: str, time: int = 1000, **args: Any) -> Event:
    return Event(GAME.slug, 1, 1, name, args, 7, "0x", time, "0x", 0)


def shot(ply: int, by: str, tile: int, time: int = 1000) -> Event:
    return event("Shot", time, ply=ply, by=by, tile=tile)


def answer(ply: int, by: str, tile: int, hit: bool) -> Event:
    return event("Answered", ply=ply, by=by, tile=tile, hit=hit)


def reveal(by: str, ships: bytes, message: bytes = b"", fault: int = 0) -> Event:
    return event("Revealed", by=by, ships="0x" + ships.hex(), nonce=NONCE, message="0x" + message.hex(), fault=fault)


INVITED = [
    event("MatchCreated", creator=A, opponent=NOBODY, clock=600, rematchOf=0),
    event("PlayerJoined", player=A, seat=0),
    event("Sealed", player=A, commitment=SEAL_A),
]
ACCEPTED = [
    *INVITED,
    event("PlayerJoined", player=B, seat=1),
    event("MatchStarted"),
    event("Sealed", player=B, commitment=SEAL_B),
    shot(0, B, 40),
]
OVER = [*ACCEPTED, event("GameOver", loser=A, cause=TIMEOUT, deadline=90_000)]


def board(*events: Event) -> Json:
    return fold(GAME, GAME.start, events)


def test_start_is_a_match_that_nobody_opened() -> None:
    assert GAME.start == {
        "status": "none", "ply": 0, "deadline": 0, "players": {}, "fleets": {}, "stake": "0", "withdrawn": {},
        "width": 9, "height": 11,
    }  # fmt: skip


def test_invitation() -> None:
    assert board(*INVITED) == {
        "status": "open", "ply": 0, "deadline": 0, "clock": 600, "creator": A, "stake": "0", "withdrawn": {},
        "players": {A: {"seat": 0, "shots": {}}}, "fleets": {A: {"commitment": SEAL_A}}, "width": 9, "height": 11,
    }  # fmt: skip


@pytest.mark.parametrize(("token", "shown"), [(NOBODY, {}), (TOKEN, {"token": TOKEN})])
def test_a_stake_is_in_ether_unless_a_token_is_named(token: str, shown: Json) -> None:
    after = board(*INVITED[:2], event("Staked", token=token, amount="1000000000000000000"))
    assert {key: after[key] for key in ("stake", "token") if key in after} == {"stake": "1000000000000000000", **shown}


def test_who_accepts_fires_first() -> None:
    assert board(*ACCEPTED) == {
        "status": "playing", "phase": "shots", "ply": 1, "clock": 600, "deadline": 1600, "creator": A, "stake": "0",
        "players": {A: {"seat": 0, "shots": {}}, B: {"seat": 1, "shots": {}}}, "withdrawn": {}, "width": 9,
        "height": 11, "fleets": {A: {"commitment": SEAL_A}, B: {"commitment": SEAL_B}}, "mover": A,
        "pending": {"tile": 40, "by": B},
    }  # fmt: skip


def test_an_answer_belongs_to_who_fired() -> None:
    after = board(*ACCEPTED, answer(1, A, 40, True), shot(1, A, 3, time=2000), answer(2, B, 3, False), shot(2, B, 0))
    assert after["players"] == {A: {"seat": 0, "shots": {"3": "miss"}}, B: {"seat": 1, "shots": {"40": "hit"}}}
    assert (after["ply"], after["mover"], after["pending"], after["deadline"]) == (3, A, {"tile": 0, "by": B}, 1600)


def test_a_match_without_a_clock_has_no_deadline_before_the_reveals() -> None:
    friendly = [event("MatchCreated", creator=A, opponent=B, clock=0, rematchOf=0), *ACCEPTED[1:]]
    assert (board(*friendly)["deadline"], board(*friendly)["opponent"]) == (0, B)
    assert board(*friendly, OVER[-1])["deadline"] == 90_000


def test_the_17th_hit_leaves_no_shot_and_nobody_to_move() -> None:
    after = board(*ACCEPTED, answer(1, A, 40, True), event("GameOver", loser=A, cause=WON, deadline=90_000))
    assert (after["phase"], after["loser"], after["cause"], after["deadline"]) == ("reveals", A, "won", 90_000)
    assert (after["status"], after["ply"]) == ("playing", 2)
    assert not {"pending", "mover", "winner", "reason"} & set(after)


def test_a_shot_that_nobody_answered_counts_for_nothing() -> None:
    after = board(*OVER)
    assert after["players"][B]["shots"] == {}
    assert not {"pending", "mover"} & set(after)
    assert (after["cause"], after["ply"]) == ("timeout", 1)


def test_a_reveal_shows_fleet_message_and_fault() -> None:
    after = board(*OVER, reveal(B, b"PH12 SH81 DV7 BV51 CH40", "Gut gespielt ⚓".encode(), fault=5))
    assert after["fleets"] == {
        A: {"commitment": SEAL_A},
        B: {
            "commitment": SEAL_B, "ships": "PH12 SH81 DV7 BV51 CH40", "nonce": NONCE, "message": "Gut gespielt ⚓",
            "fault": 5,
        },
    }  # fmt: skip


@pytest.mark.parametrize("ships", [b"\xff\xfe", "Évian".encode(), b"PH1\0", b"\x1b[2J", b"PH1\n"])
def test_ships_that_are_no_plain_text_are_shown_as_bytes(ships: bytes) -> None:
    assert board(*OVER, reveal(B, ships, fault=1))["fleets"][B]["ships"] == "0x" + ships.hex()


@pytest.mark.parametrize(
    ("message", "shown"),
    [(b"a\xffb", "a\ufffdb"), (b"a\0b", "a\ufffdb"), (b"", ""), (b"<b>&amp;", "<b>&amp;"), (b"a\nb", "a\nb")],
)
def test_a_message_is_always_text(message: bytes, shown: str) -> None:
    assert board(*OVER, reveal(B, b"", message))["fleets"][B]["message"] == shown


@pytest.mark.parametrize(
    ("winner", "reason", "shown"),
    [
        (B, WON, {"winner": B, "reason": "won", "status": "finished"}),
        (NOBODY, TIMEOUT, {"reason": "timeout", "status": "finished"}),
        (NOBODY, CHEATING, {"reason": "cheating-proved", "status": "finished"}),
        (NOBODY, CANCELLED, {"reason": "cancelled", "status": "cancelled"}),
    ],
)
def test_the_end_stops_the_clock(winner: str, reason: int, shown: Json) -> None:
    after = board(*OVER, event("MatchEnded", winner=winner, reason=reason))
    assert {key: after[key] for key in ("winner", "reason", "status") if key in after} == shown
    assert after["deadline"] == 0
    assert "phase" not in after


def test_a_lie_that_the_answer_proves_ends_the_shooting_without_reveals() -> None:
    after = board(*ACCEPTED, answer(1, A, 40, False), event("MatchEnded", winner=B, reason=CHEATING))
    assert not {"phase", "pending", "mover", "loser", "cause"} & set(after)
    assert (after["winner"], after["players"][B]["shots"]) == (B, {"40": "miss"})


def test_what_was_taken_out_is_kept_by_account() -> None:
    after = board(*OVER, event("Withdrawn", account=A, token=NOBODY, amount="5"))
    after = fold(GAME, after, [event("Withdrawn", account=B, token=NOBODY, amount="7")])
    assert after["withdrawn"] == {A: "5", B: "7"}


def test_no_fleet_is_in_a_board_before_its_reveal() -> None:
    for events in (INVITED, ACCEPTED, OVER):
        assert all(set(fleet) == {"commitment"} for fleet in board(*events)["fleets"].values())


def test_no_reducer_changes_the_board_it_was_given() -> None:
    events = [
        *ACCEPTED[:3], event("Staked", token=TOKEN, amount="1"), *ACCEPTED[3:], answer(1, A, 40, True),
        event("GameOver", loser=A, cause=WON, deadline=90_000), reveal(A, b"x", fault=1), reveal(B, b"y", fault=1),
        event("MatchEnded", winner=NOBODY, reason=CHEATING), event("Withdrawn", account=A, token=TOKEN, amount="1"),
    ]  # fmt: skip
    assert_pure(GAME, events)


def test_actions_are_functions_of_the_contract() -> None:
    abi = load(GAME.contract).abi
    functions = {
        f"{one['name']}({','.join(part['type'] for part in one['inputs'])})": one
        for one in abi
        if one["type"] == "function"
    }
    actions = with_signatures(GAME, abi).actions
    for action in actions:
        entry = functions[action.signature]
        assert (action.deposit is not None) == (entry["stateMutability"] == "payable")
    changing = {name for name, one in functions.items() if one["stateMutability"] not in ("view", "pure")}
    assert {action.signature for action in actions} == changing
