"""Tests that the computer players of Touché Coulé move ships out of danger, and let ships
communicate if that makes hits more likely."""

from __future__ import annotations

from random import Random

from bots.opponent import Choice
from bots.touche_coule import OPPONENTS, danger, hits, is_safer_elsewhere
from indexer.games import GAMES
from indexer.games.touche_coule import START
from indexer.model import Json

A, B = (f"0x{digit * 40}" for digit in "12")


def words(*cells: int) -> Json:
    """Return the `fired` map of a ship. The ship has fired at these cells on a small board."""
    return {"0": f"0x{sum(1 << cell for cell in cells):064x}"} if cells else {}


def board(ready: int = 9, **fired: list[int]) -> Json:
    """Return a board of 4 x 4. Player A has ships 1 and 2 on cells 0 and 1, and player B has ships
    3 and 4 on cells 14 and 15."""
    ships = {
        str(number): {
            "owner": A if number < 3 else B, "x": cell % 4, "y": cell // 4, "afloat": True, "ready": ready,
            "ally": {1: 2, 2: 1, 3: 4, 4: 3}[number], "fired": words(*fired.get(f"of_{number}", [])),
        }
        for number, cell in ((1, 0), (2, 1), (3, 14), (4, 15))
    }  # fmt: skip
    players = {A: {"seat": 0, "ships": [1, 2]}, B: {"seat": 1, "ships": [3, 4]}}
    size = {"width": 4, "height": 4, "afloat": 4, "captains": False, "anchor": 9}
    return {**START, **size, "status": "playing", "ply": 7, "ships": ships, "players": players}


def choice(shown: Json, seat: int = 0) -> Choice | None:
    return OPPONENTS.choose(shown, seat, "lookout", Random(1))


def test_a_shot_goes_where_the_ship_has_not_fired() -> None:
    shown = board(of_3=[2, 3])
    # ship 3 doesn't fire again at cells 2 and 3, nor at its own side's cells 14 and 15
    assert hits(shown, "3", 0b1100, 1 << 0) == 1 / 12
    assert hits(shown, "3", 0b1100, 1 << 2) == 0
    assert hits(shown, "3", 0b1100, (1 << 16) - 1) == 1
    assert danger(shown, A, 1 << 0) == 1 / 12 + 1 / 14


def test_it_plays_the_turn() -> None:
    assert choice(board()) == Choice("turn", {"turnNo": 7})


def test_it_leaves_a_cell_where_it_may_rather_be_hit() -> None:
    seen = [2, 3, 4, 5, 6, 7]
    assert choice(board(ready=7, of_3=seen, of_4=seen)) == Choice("changePosition")
    assert choice(board(ready=8, of_3=seen, of_4=seen)) == Choice("turn", {"turnNo": 7})


def test_it_stays_where_all_have_fired() -> None:
    safe = board(ready=7, of_3=[0, 1], of_4=[0, 1])
    assert not is_safer_elsewhere(safe, A)
    assert choice(safe) == Choice("turn", {"turnNo": 7})


def test_its_ships_talk_when_they_hit_more_then() -> None:
    """Tests that ships communicate if this makes their shots more likely to hit. Ships that have
    communicated don't fire at cells at which either of them has already fired."""
    assert choice(board(of_1=[4, 5, 6], of_2=[8, 9, 10])) == Choice("communicate")
    assert choice(board(of_1=[14, 15])) == Choice("turn", {"turnNo": 7})


def test_it_brings_two_ships_and_begins_when_all_have_them() -> None:
    waiting: Json = {**START, "status": "open", "width": 4, "height": 4, "captains": False, "players": {}}
    assert choice(waiting) == Choice("register")
    one: Json = {**waiting, "players": {A: {"seat": 0, "ships": [1]}}, "ships": {"1": board()["ships"]["1"]}}
    assert choice(one) == Choice("register")
    both = board()
    assert choice({**both, "status": "open", "ply": 0}) == Choice("turn", {"turnNo": 0})
    alone = {account: player for account, player in both["players"].items() if account == A}
    assert choice({**both, "status": "open", "ply": 0, "players": alone}) is None


def test_who_has_no_ship_afloat_has_no_move() -> None:
    shown = board()
    sunk = {number: {**ship, "afloat": ship["owner"] == B} for number, ship in shown["ships"].items()}
    assert choice({**shown, "ships": sunk}) is None
    assert GAMES["touche-coule"].slug == "touche-coule"
