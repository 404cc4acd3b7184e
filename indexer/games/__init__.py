"""One file a game, and the registry of them all."""

from __future__ import annotations

from importlib import import_module

from indexer.gamekit.game import Game

MODULES = (
    "touche_coule",
    "tic_tac_toe",
    "battleship",
    "deblockle",
    "conquest",
)  # fmt: skip
"""All games, a line each; nothing else lists them."""

GAMES: dict[str, Game] = {game.slug: game for game in (import_module(f"{__name__}.{name}").GAME for name in MODULES)}
