"""A character for each player, with the same shape as on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The filled and the hollow shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return a player's shape. The shape is hollow if the player's colour has an odd number and the
    shape has a different number. Two players with the same shape thus look different even without
    colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
