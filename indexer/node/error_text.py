"""What a node says of an error, as anybody may read it. A provider may quote the address that it was asked at, with the
operator's key in it, or that of a machine behind it; and it may say anything at any length."""

from __future__ import annotations

import re
from typing import Any

from indexer.sanitize import printable, shortened

MOST_READ = 2000
"""Characters, for the operator as well."""
MOST_PUBLISHED, MOST_OURS = 200, 400
"""Characters of a node's text, and of a sentence of ours around one."""
MOST_DATA = 20_000
"""Characters of a revert's data: custom errors have a few words of 32 bytes."""
HIDDEN = "…"
SECRETS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,20}://\S+"
    r"|\b(?:[a-z]+[-_])?(?:key|token|secret|password|bearer)\b['\"]?\s*[=:]?\s*\S*\d\S*"
    r"|(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost)(?::\d+)?(?![\w.])"
    r"|(?<![\w.-])[\w-]+(?:\.[\w-]+)+(?::\d+|/\S+)"
    r"|(?<![\w-])(?!0x[0-9a-f]+(?![\w-]))(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{20,}",
    re.IGNORECASE,
)
"""Addresses, what is called a key, and long words of letters and digits that are no 0x hex."""


def readable(text: str) -> str:
    """A node's text for the operator: printable, and short enough for a log."""
    return shortened(printable(text[:MOST_READ]), MOST_READ)


def public_text(text: str, most: int = MOST_PUBLISHED) -> str:
    """A node's text for anybody: without what may be an address or a key, in a line or two."""
    read = text
    if len(text) > MOST_READ:  # no part of a word stays that is no key any more
        read = " ".join(text[:MOST_READ].split()[:-1]) + HIDDEN
    return shortened(printable(SECRETS.sub(HIDDEN, read)), most)


def public_data(data: Any) -> str | None:
    """The data of a revert, which a page reads; None for whatever else a provider adds to an error."""
    if isinstance(data, dict):  # as Hardhat has it
        data = data.get("data")
    is_hex = isinstance(data, str) and len(data) <= MOST_DATA and re.fullmatch("0x[0-9a-fA-F]*", data) is not None
    return data if is_hex else None
