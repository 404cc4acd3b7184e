"""Classifies the errors with which nodes reject transactions. The page uses the same patterns."""

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
"""The patterns for each kind of error. The sources of the nodes' messages are in
tests/fixtures/vectors/node_says.json."""
PATTERNS = [(kind, re.compile("|".join(patterns), re.IGNORECASE)) for kind, patterns in TABLE.items()]


def classify(message: str) -> NodeErrorKind:
    """Return the first kind of error that has a pattern matching the node's message.
    node_errors.json explains the kinds."""
    return next((kind for kind, pattern in PATTERNS if pattern.search(message)), "other")
