"""A player's symbol in text: the shape and colour used on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return a player's shape. Each shape belongs to the colour of its number. Other players with
    that shape are hollow if their colour is odd, so that two sides differ even without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
