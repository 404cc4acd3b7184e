"""Elo: what a match does to its players' ratings, in whole hundredths of a point.

A player's expected score against another is 1 / (1 + 10^(difference / 400)); a rating moves by K times the score less
the expected one: A. E. Elo, The Rating of Chessplayers (1978); https://en.wikipedia.org/wiki/Elo_rating_system. With
more than two players each pair counts, with K shared among one player's pairs.

Our own few lines, because ratings must be the same to the last digit on every machine: a database is compared with one
made anew elsewhere. The libraries (elote, glicko2, openskill) count in binary floating point, whose powers differ from
one C library to the next, keep players as objects that change, and elote brings SciPy. Decimal's power is defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from itertools import combinations

INITIAL_RATING = 150_000
"""The rating before a player's first match: 1500, in hundredths."""
K = 3_200
"""32 points, in hundredths. A change needs a migration that derives the stored results again."""
SCALE = 40_000
"""400 points, in hundredths."""
EXACT = Context(prec=28, rounding=ROUND_HALF_EVEN)
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def update_ratings(before: Mapping[str, int], winner: str | None) -> dict[str, int]:
    """The ratings after a match of these players: its winner beats each of the others, whose pairs among themselves
    count nothing; without a winner all pairs draw. Nothing changes without two players, or when the winner is none of
    them."""
    gained = dict.fromkeys(before, Decimal(0))
    for one, other in combinations(sorted(before), 2):
        if winner in (None, one, other):
            score = DRAW if winner is None else WIN if winner == one else LOSS
            more = EXACT.subtract(score, _expected(before[other] - before[one]))
            gained[one], gained[other] = EXACT.add(gained[one], more), EXACT.subtract(gained[other], more)
    shared = max(1, len(before) - 1)
    return {player: before[player] + _rounded(gain, shared) for player, gain in gained.items()}


@lru_cache(maxsize=4096)
def _expected(difference: int) -> Decimal:
    """The score that a player may expect of another whose rating is so much higher."""
    odds = EXACT.power(Decimal(10), EXACT.divide(Decimal(difference), Decimal(SCALE)))
    return EXACT.divide(Decimal(1), EXACT.add(Decimal(1), odds))


def _rounded(gain: Decimal, shared: int) -> int:
    return int(EXACT.divide(EXACT.multiply(gain, Decimal(K)), Decimal(shared)).to_integral_value(ROUND_HALF_EVEN))
