"""Tests Touché Coulé's reducer alone, without a chain. The reducer must turn each event into the
right change of the board."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import diff, fold
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.indexer.games.purity import assert_pure

GAME = GAMES["touche-coule"]
A, B, CAPTAIN, NOBODY = (f"0x{digit * 40}" for digit in "abc0")
SEED = "0x" + 64 * "5"


def event(name: str, block: int = 7, **args: Any) -> Event:
    return Event(GAME.slug, 1, 1, name, args, block, "0x", 1000, "0x", 0)


def ship(number: int, owner: str, x: int, y: int, captain: str = NOBODY) -> Event:
    return event("Registered", ship=number, owner=owner, x=x, y=y, captain=captain)


OPENING = [
    event("MatchCreated", creator=A, opponent=NOBODY, clock=0, rematchOf=0),
    event("Size", width=20, height=16, captains=True),
    event("PlayerJoined", player=A, seat=0),
    ship(1, A, 0, 0),
    event("PlayerJoined", player=B, seat=1),
    ship(2, B, 19, 15, CAPTAIN),
    ship(3, A, 1, 0),
    event("MatchStarted"),
    event("TurnPlayed", by=A, turnNo=0, entropyBlock=0, seed=SEED),
]


def board(*more: Event) -> Json:
    return fold(GAME, GAME.start, [*OPENING, *more])


def shots(*pairs: tuple[int, int]) -> Event:
    return event("Fired", shots="0x" + "".join(f"{number:03x}{cell:03x}" for number, cell in pairs))


def bits(*cells: int) -> str:
    return f"0x{sum(1 << cell for cell in cells):064x}"


def test_start_is_a_match_that_nobody_opened() -> None:
    assert GAME.start == {
        "status": "none", "ply": 0, "players": {}, "ships": {}, "afloat": 0, "anchor": 0, "deadline": 0,
    }  # fmt: skip


def test_opening() -> None:
    assert board() == {
        "status": "playing", "ply": 1, "width": 20, "height": 16, "captains": True, "anchor": 7, "deadline": 87_400,
        "afloat": 3,
        "players": {A: {"seat": 0, "ships": [1, 3]}, B: {"seat": 1, "ships": [2]}},
        "ships": {
            "1": {"owner": A, "x": 0, "y": 0, "afloat": True, "ready": 5, "fired": {}, "ally": 3},
            "2": {"owner": B, "x": 19, "y": 15, "afloat": True, "ready": 5, "captain": CAPTAIN},
            "3": {"owner": A, "x": 1, "y": 0, "afloat": True, "ready": 5, "fired": {}, "ally": 1},
        },
    }  # fmt: skip


def test_volley_marks_the_maps_of_built_in_ships() -> None:
    after = board(shots((1, 2), (2, 5), (3, 319)), event("Touched", ship=2, x=19, y=15, by=3))
    assert after["ships"]["1"]["fired"] == {"0": bits(2)}
    assert after["ships"]["3"]["fired"] == {"1": bits(63)}
    assert "fired" not in after["ships"]["2"]
    assert after["volley"] == {"turn": 1, "shots": {"1": 2, "2": 5, "3": 319}, "sunk": [2]}
    assert (after["afloat"], after["ships"]["2"]["afloat"]) == (2, False)


def test_shot_at_a_known_cell_tells_that_the_word_was_forgotten() -> None:
    after = board(shots((1, 2)), shots((1, 9)), shots((1, 300)), shots((1, 9)))
    assert after["ships"]["1"]["fired"] == {"0": bits(9), "1": bits(44)}


def test_move_forgets_the_new_cell_and_becomes_the_anchor() -> None:
    moved = event(
        "Moved", block=11, ship=1, owner=A, fromX=0, fromY=0, x=2, y=0, entropyBlock=8, seed=SEED
    )  # fmt: skip
    after = board(shots((1, 2)), moved)
    assert after["ships"]["1"] == board()["ships"]["1"] | {"x": 2, "ready": 6}
    assert (after["anchor"], after["deadline"]) == (11, 87_400)


def test_communication_gives_each_what_the_other_knew() -> None:
    told = event("Communicated", owner=A, a=1, b=3)
    after = board(shots((1, 2), (3, 0)), shots((1, 1), (3, 256)), told)
    assert after["ships"]["1"]["fired"] == {"0": bits(1, 2), "1": bits(0)}
    assert after["ships"]["3"]["fired"] == {"0": bits(0, 2), "1": bits(0)}


@pytest.mark.parametrize(
    ("winner", "reason", "told"),
    [
        (A, 1, {"status": "finished", "reason": "won", "winner": A}),
        (NOBODY, 2, {"status": "finished", "reason": "draw"}),
        (NOBODY, 6, {"status": "cancelled", "reason": "cancelled"}),
    ],
)
def test_end(winner: str, reason: int, told: Json) -> None:
    before, after = board(), board(event("MatchEnded", winner=winner, reason=reason))
    assert after == before | told
    assert GAME.waits_for_block_after(before) == 7
    assert GAME.waits_for_block_after(after) is None


def test_no_reducer_changes_the_board_it_is_given() -> None:
    story = [
        *OPENING, event("Moved", ship=1, owner=A, fromX=0, fromY=0, x=2, y=0, entropyBlock=8, seed=SEED),
        shots((1, 2), (3, 4)), event("Touched", ship=2, x=19, y=15, by=3), event("Communicated", owner=A, a=1, b=3),
        event("MatchEnded", winner=A, reason=1),
    ]  # fmt: skip
    assert_pure(GAME, story)


def test_patch_of_a_volley_tells_only_what_changed() -> None:
    before = board()
    patch = diff(before, fold(GAME, before, [shots((1, 2))]))
    assert patch == {
        "ships": {"1": {"fired": {"0": bits(2)}}},
        "volley": {"turn": 1, "shots": {"1": 2}, "sunk": []},
    }


def test_actions_are_the_contracts() -> None:
    functions = {
        f"{item['name']}({','.join(i['type'] for i in item['inputs'])})"
        for item in load("ToucheCoule").abi
        if item["type"] == "function" and item["stateMutability"] == "nonpayable"
    }
    assert {action.signature for action in with_signatures(GAME, load(GAME.contract).abi).actions} == functions
    turn = next(action for action in GAME.actions if action.name == "turn")
    assert (turn.gas, turn.gas_each, turn.gas_of) == (60_000, 60_000, "afloat")
