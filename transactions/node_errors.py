"""What a node's error means when it refuses a transaction: one table of its words, for the page as well."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal, TypeAlias

NodeErrorKind: TypeAlias = Literal[
    "known",
    "low",
    "high",
    "replacement",
    "underpriced",
    "basefee",
    "busy",
    "funds",
    "declined",
    "gas",
    "large",
    "other",
]

TABLE: dict[NodeErrorKind, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))["kinds"]
"""tests/fixtures/vectors/node_says.json names the source of each pattern."""
PATTERNS = [(kind, re.compile("|".join(patterns), re.IGNORECASE)) for kind, patterns in TABLE.items()]


def classify(message: str) -> NodeErrorKind:
    """The first kind that fits; the table says what each means."""
    return next((kind for kind, pattern in PATTERNS if pattern.search(message)), "other")
