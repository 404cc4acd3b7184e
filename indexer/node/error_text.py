"""Makes the texts of a node's errors safe to publish.

A provider's text can contain the provider's URL with the operator's key, or the address of an
internal machine. It can have any content and any length."""

from __future__ import annotations

import re
from typing import Any

from indexer.sanitize import printable, shortened

MAX_READ = 2000
"""The maximum number of characters that are kept of a node's text, even in the operator's log."""
MAX_PUBLISHED, MAX_OWN_TEXT = 200, 400
"""The maximum length of a published text, in characters: if the text is from a node, and if it is
from this program."""
MAX_DATA = 20_000
"""The maximum number of characters in the data of a revert. A custom error has only a few words of
32 bytes."""
REDACTED = "…"
SECRETS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,20}://\S+"
    r"|\b(?:[a-z]+[-_])?(?:key|token|secret|password|bearer)\b['\"]?\s*[=:]?\s*\S*\d\S*"
    r"|(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost)(?::\d+)?(?![\w.])"
    r"|(?<![\w.-])[\w-]+(?:\.[\w-]+)+(?::\d+|/\S+)"
    r"|(?<![\w-])(?!0x[0-9a-f]+(?![\w-]))(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{20,}",
    re.IGNORECASE,
)
"""Matches the parts of a text that are removed: addresses, values after words such as `key`, and
long words that consist of letters and digits. 0x hex remains."""


def readable(text: str) -> str:
    """Return a node's text without control characters, and short enough for the operator's log."""
    return shortened(printable(text[:MAX_READ]), MAX_READ)


def public_text(text: str, max_length: int = MAX_PUBLISHED) -> str:
    """Return a node's text in a form that can be published. It has at most `max_length` characters,
    and anything that could be an address or a key is removed."""
    read = text
    if len(text) > MAX_READ:  # drop the last word, because half a key does not look like a key
        read = " ".join(text[:MAX_READ].split()[:-1]) + REDACTED
    return shortened(printable(SECRETS.sub(REDACTED, read)), max_length)


def public_data(data: Any) -> str | None:
    """Return the data of an error if it is the hex data of a revert, which the page can decode.
    Otherwise, return None."""
    if isinstance(data, dict):  # Hardhat nests the data
        data = data.get("data")
    is_hex = isinstance(data, str) and len(data) <= MAX_DATA and re.fullmatch("0x[0-9a-fA-F]*", data) is not None
    return data if is_hex else None
