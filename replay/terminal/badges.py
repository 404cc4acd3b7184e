"""A player's symbol in text: the shape that the player has on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The filled and the hollow shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return a player's shape. Each shape belongs to the colour with the same number. If a player's
    shape and colour have different numbers and the colour's number is odd, the shape is hollow, so
    that two sides differ even without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
