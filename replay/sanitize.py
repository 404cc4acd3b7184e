"""Texts of others, made fit for a terminal."""

from __future__ import annotations

from typing import Any

import orjson

MOST_LETTERS = 100


def plain(text: str) -> str:
    """Nothing that a terminal obeys."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def told(value: Any) -> str:
    """A JSON value in a sentence."""
    if isinstance(value, str):
        text = plain(value) if value and " " not in value else f"'{plain(value)}'"
    else:
        text = plain(orjson.dumps(value).decode())
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
