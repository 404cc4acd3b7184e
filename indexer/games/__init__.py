"""The list of all games. Each game has its own module in this folder."""

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
"""All games, in the order of their cards in the lobby. No other list of games exists."""

GAMES: dict[str, Game] = {game.slug: game for game in (import_module(f"{__name__}.{name}").GAME for name in MODULES)}
