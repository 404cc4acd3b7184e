"""Makes untrusted text safe for a terminal."""

from __future__ import annotations

import json
from typing import Any

MAX_CHARACTERS = 100


def printable(text: str) -> str:
    """Return the text with control characters replaced, because a terminal would obey them."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def excerpt(value: Any) -> str:
    """Return a JSON value as printable text that is short enough for an error message."""
    if isinstance(value, str):
        text = printable(value) if value and " " not in value else f"'{printable(value)}'"
    else:
        text = printable(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr))
    return shortened(text)


def shortened(text: str, max_length: int = MAX_CHARACTERS) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
