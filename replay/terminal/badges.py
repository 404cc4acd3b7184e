"""A player's symbol in text: the shape that the player has on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The filled and the hollow shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return a player's shape. It is hollow if the player's colour has an odd number and the shape
    has a different number. That way, two sides differ even without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
