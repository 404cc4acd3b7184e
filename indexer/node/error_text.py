"""Error texts of a node, made fit to publish.

A provider may quote its own URL with the operator's key, or the address of an internal machine.
Its text may have any content and any length."""

from __future__ import annotations

import re
from typing import Any

from indexer.sanitize import printable, shortened

MOST_READ = 2000
"""Maximum length of a node's text, in the operator's log too."""
MOST_PUBLISHED, MOST_OURS = 200, 400
"""Maximum length of a node's text when it is published, and of our sentence around it."""
MOST_DATA = 20_000
"""Maximum length of a revert's data: custom errors have a few words of 32 bytes."""
HIDDEN = "…"
SECRETS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,20}://\S+"
    r"|\b(?:[a-z]+[-_])?(?:key|token|secret|password|bearer)\b['\"]?\s*[=:]?\s*\S*\d\S*"
    r"|(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost)(?::\d+)?(?![\w.])"
    r"|(?<![\w.-])[\w-]+(?:\.[\w-]+)+(?::\d+|/\S+)"
    r"|(?<![\w-])(?!0x[0-9a-f]+(?![\w-]))(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{20,}",
    re.IGNORECASE,
)
"""Matches addresses, values named as keys, and long words of letters and digits except 0x hex."""


def readable(text: str) -> str:
    """Return a node's text for the operator: printable, and short enough for a log."""
    return shortened(printable(text[:MOST_READ]), MOST_READ)


def public_text(text: str, most: int = MOST_PUBLISHED) -> str:
    """Return a node's text for publication: at most `most` characters, without possible addresses
    and keys."""
    read = text
    if len(text) > MOST_READ:  # drop the cut-off last word: half a key does not look like a key
        read = " ".join(text[:MOST_READ].split()[:-1]) + HIDDEN
    return shortened(printable(SECRETS.sub(HIDDEN, read)), most)


def public_data(data: Any) -> str | None:
    """Return the data of a revert, which the page reads. None for any other data of an error."""
    if isinstance(data, dict):  # Hardhat's form
        data = data.get("data")
    is_hex = isinstance(data, str) and len(data) <= MOST_DATA and re.fullmatch("0x[0-9a-fA-F]*", data) is not None
    return data if is_hex else None
