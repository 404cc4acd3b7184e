"""The games, each in its own module, and their registry."""

from __future__ import annotations

from importlib import import_module

from indexer.gamekit.game import Game

MODULES = (
    "battleship",
    "tic_tac_toe",
    "deblockle",
    "conquest",
    "touche_coule",
)  # fmt: skip
"""All games, in the order of the lobby's cards. This is the only list of games."""

GAMES: dict[str, Game] = {game.slug: game for game in (import_module(f"{__name__}.{name}").GAME for name in MODULES)}
