"""Tests that a computer player takes only a seat that it is allowed to take."""

from __future__ import annotations

import pytest

from bots.opponent import has_seat_for, invited, seat_of
from indexer.model import Json

ALICE, BOB, CAROL, DAVE = "0xA", "0xB", "0xC", "0xD"


def board(*players: str | None, opponent: str = "", **more: object) -> Json:
    """Return an open board with these players in its seats. None means that the seat is free."""
    seated = {player: {"seat": seat} for seat, player in enumerate(players) if player}
    return {"status": "open", "players": seated, **({"opponent": opponent} if opponent else {}), **more}


FOR_TWO, FOR_BOB = board(ALICE), board(ALICE, opponent=BOB)
FOR_FOUR = board(ALICE, None, CAROL, seatCount=4, invited={"1": BOB, "2": CAROL})
RESERVED = board(ALICE, None, CAROL, seatCount=3, invited={"1": BOB, "2": CAROL}, opponent=BOB)
FULL = board(ALICE, BOB, CAROL, seatCount=3)


@pytest.mark.parametrize(
    ("match", "account", "seat"),
    [
        (FOR_TWO, BOB, 1),
        (FOR_TWO, ALICE, None),
        (FOR_BOB, BOB, 1),
        (FOR_BOB, CAROL, None),
        (FOR_FOUR, BOB, 1),
        (FOR_FOUR, CAROL, None),
        (FOR_FOUR, DAVE, 3),
        (RESERVED, BOB, 1),
        (RESERVED, DAVE, None),
        (FULL, DAVE, None),
        (board(None, ALICE), BOB, 0),
    ],
)
def test_who_may_take_a_seat_and_which(match: Json, account: str, seat: int | None) -> None:
    assert has_seat_for(match, account) is (seat is not None)
    if seat is not None:
        assert seat_of(match, account) == seat


def test_who_has_a_seat_keeps_it() -> None:
    assert [seat_of(FULL, account) for account in (ALICE, BOB, CAROL)] == [0, 1, 2]


@pytest.mark.parametrize(("match", "missing"), [(FOR_TWO, []), (FOR_BOB, [BOB]), (FOR_FOUR, [BOB]), (FULL, [])])
def test_who_is_waited_for(match: Json, missing: list[str]) -> None:
    assert invited(match) == missing
