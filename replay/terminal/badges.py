"""A character for each player, with the same shape as on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The filled and the hollow shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return a player's shape. It is hollow if the player's colour is odd and the shape isn't the
    colour's own, which has the same number. Two players with the same shape thus differ even
    without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
