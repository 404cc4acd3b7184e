"""Tests that Elo ratings change by the expected amounts after matches of two or more players."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from indexer.gamekit.elo import INITIAL_RATING, K_FACTOR, update_ratings


@pytest.mark.parametrize(
    ("one", "other", "winner", "after"),
    [
        (150_000, 150_000, "a", (151_600, 148_400)),
        (150_000, 150_000, None, (150_000, 150_000)),
        (160_000, 140_000, "a", (160_769, 139_231)),  # player a's expected score is 0.759747
        (160_000, 140_000, "b", (157_569, 142_431)),
        (160_000, 140_000, None, (159_169, 140_831)),
        (200_000, 100_000, "a", (200_010, 99_990)),
        # the winner isn't one of the players in this match
        (150_000, 150_000, "c", (150_000, 150_000)),
    ],
)
def test_two_players(one: int, other: int, winner: str | None, after: tuple[int, int]) -> None:
    assert update_ratings({"a": one, "b": other}, winner) == dict(zip("ab", after, strict=True))


def test_the_winner_of_many_beats_each_and_these_say_nothing_about_each_other() -> None:
    assert update_ratings(dict.fromkeys("abcd", INITIAL_RATING), "b") == {
        "a": INITIAL_RATING - 533,
        "b": INITIAL_RATING + K_FACTOR // 2,
        "c": INITIAL_RATING - 533,
        "d": INITIAL_RATING - 533,
    }


def test_a_draw_of_many_brings_all_nearer() -> None:
    before = {"a": 170_000, "b": 150_000, "c": 130_000}
    after = update_ratings(before, None)
    assert after["b"] == before["b"]
    assert before["a"] - after["a"] == after["c"] - before["c"] > 0


@pytest.mark.parametrize("players", [0, 1])
def test_who_played_alone_is_not_rated(players: int) -> None:
    before = {str(number): 151_234 for number in range(players)}
    assert update_ratings(before, None) == update_ratings(before, "0") == before


def test_nothing_comes_from_nowhere_and_the_order_of_players_is_no_matter() -> None:
    random = Random(6)
    for _ in range(200):
        names = [str(number) for number in range(random.randrange(2, 9))]
        before = {name: random.randrange(50_000, 300_000) for name in names}
        winner = random.choice([None, *names])
        after = update_ratings(before, winner)
        # The sum may be wrong by rounding errors. Ratings are in hundredths of a point.
        assert abs(sum(after.values()) - sum(before.values())) <= len(names) // 2
        assert after == update_ratings(dict(reversed(before.items())), winner)
        assert winner is None or after[winner] > before[winner] or before[winner] > 250_000


def test_a_favourite_gains_less_the_further_it_is_ahead() -> None:
    gains = [
        update_ratings({"a": INITIAL_RATING + ahead, "b": INITIAL_RATING}, "a")["a"] - INITIAL_RATING - ahead
        for ahead in range(0, 80_000, 10_000)
    ]
    assert all(more > less for more, less in pairwise(gains))
