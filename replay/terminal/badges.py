"""Represents each player by a character, with the same shape as on the page's board."""

from __future__ import annotations

from indexer.model import Json

SHAPES, HOLLOW = "●■◆⬢▲⬟XO", "○□◇⬡△⬠XO"
"""The filled and the hollow characters for the shapes, in the order of layouts/shapes.js."""


def badge(owner: Json) -> str:
    """Return the character for a player's shape. It is hollow if the number of the player's colour
    is odd and differs from the number of the shape. Two players with the same shape therefore look
    different even in a terminal without colours."""
    shape, colour = owner["shape"] % len(SHAPES), owner["colour"]
    return (HOLLOW if colour % 2 and colour != shape else SHAPES)[shape]
