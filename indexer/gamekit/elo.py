"""Computes Elo ratings. A rating is a whole number of hundredths of a point.

A player's expected score against another player is 1 / (1 + 10^(difference / 400)). After a match,
the rating changes by K times the difference between the actual and the expected score. If there are
more than two players, each pair of players counts. K is then divided by the number of pairs to
which a player belongs. Source: A. E. Elo, The Rating of Chessplayers (1978);
https://en.wikipedia.org/wiki/Elo_rating_system

`verify` compares databases from different machines, so ratings must be equal to the last digit. We
use Decimal, because its powers are exactly defined. The libraries for ratings (elote, glicko2,
openskill) use binary floating point, whose powers differ between C libraries. These libraries also
store players as mutable objects, and elote depends on SciPy."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from itertools import combinations

INITIAL_RATING = 150_000
"""The rating before a player's first match: 1500 points, in hundredths."""
K_FACTOR = 3_200
"""The factor K: 32 points, in hundredths. To change it, also write a migration of all ratings."""
SCALE = 40_000
"""The scale in the formula of the expected score: 400 points, in hundredths."""
DECIMAL_CONTEXT = Context(prec=28, rounding=ROUND_HALF_EVEN)
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def update_ratings(before: Mapping[str, int], winner: str | None) -> dict[str, int]:
    """Return the ratings of these players after their match, in hundredths of a point.

    The winner beats every other player. The losers don't count against each other. Without a
    winner, each pair of players counts as a draw. Nothing changes if there are fewer than two
    players, or if the winner isn't one of them."""
    gained = dict.fromkeys(before, Decimal(0))
    for one, other in combinations(sorted(before), 2):
        if winner in (None, one, other):
            score = DRAW if winner is None else WIN if winner == one else LOSS
            delta = DECIMAL_CONTEXT.subtract(score, _expected(before[other] - before[one]))
            gained[one], gained[other] = (
                DECIMAL_CONTEXT.add(gained[one], delta),
                DECIMAL_CONTEXT.subtract(gained[other], delta),
            )
    shared = max(1, len(before) - 1)
    return {player: before[player] + _rounded(gain, shared) for player, gain in gained.items()}


@lru_cache(maxsize=4096)
def _expected(difference: int) -> Decimal:
    """Return the expected score (from 0 to 1) against a player whose rating is `difference`
    hundredths of a point higher."""
    odds = DECIMAL_CONTEXT.power(Decimal(10), DECIMAL_CONTEXT.divide(Decimal(difference), Decimal(SCALE)))
    return DECIMAL_CONTEXT.divide(Decimal(1), DECIMAL_CONTEXT.add(Decimal(1), odds))


def _rounded(gain: Decimal, shared: int) -> int:
    return int(
        DECIMAL_CONTEXT.divide(DECIMAL_CONTEXT.multiply(gain, Decimal(K_FACTOR)), Decimal(shared)).to_integral_value(
            ROUND_HALF_EVEN
        )
    )
