"""Makes untrusted text safe for a terminal."""

from __future__ import annotations

import json
from typing import Any

MAX_LETTERS = 100


def printable(text: str) -> str:
    """Replace control characters, which a terminal would execute."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def excerpt(value: Any) -> str:
    """Return a JSON value for use in a sentence, shortened."""
    if isinstance(value, str):
        text = printable(value) if value and " " not in value else f"'{printable(value)}'"
    else:
        text = printable(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr))
    return shortened(text)


def shortened(text: str, max_length: int = MAX_LETTERS) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
