"""The symbol of a player in letters: the shape and colour that stand on the board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""In the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """A shape belongs to the colour of its number; of others in that shape those with odd colours are hollow: two sides
    differ without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
