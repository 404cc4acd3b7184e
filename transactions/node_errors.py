"""What a node's error means when it refuses a transaction: one table of its words."""

from __future__ import annotations

import re
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

TABLE: tuple[tuple[NodeErrorKind, str], ...] = (
    ("known", r"\balready known\b|\balready imported\b|\bknown transaction\b"),
    ("replacement", r"\breplacement transaction underpriced\b"),
    ("basefee", r"\bless than block base fee\b|\btoo low for the next block\b"),
    ("underpriced", r"\btransaction underpriced\b"),
    ("low", r"\bnonce too low\b"),
    ("high", r"\bnonce too high\b|\bgapped-nonce\b"),
    (
        "busy",
        r"\btxpool is full\b|\baccount limit exceeded\b|\bin-flight transaction limit\b|\btries to replace pending\b",
    ),
    ("busy", r"\bat most \d+ calls of one a|\bat most \d+ requests of one a|\bat most \d+ transactions of one a"),
    ("busy", r"\bat most \d+ calls wait\b"),
    ("busy", r"\bnonce may be at most \d+ above\b"),
    ("busy", r"\bnode does not answer\b|\bnode did not answer\b"),
    ("busy", r"\btoo many requests\b|\brate[ -]limit|\brequest limit reached\b|\bcompute units per second\b"),
    ("funds", r"\binsufficient funds\b|\bdoesn't have enough funds\b"),
    ("declined", r"\buser rejected\b|\buser denied\b"),
    ("gas", r"\bintrinsic gas too\b|\brequires at least \d+ gas\b|\bgas cap\b|\bblock gas limit\b"),
    ("gas", r"\bmay use at most \d+ gas\b"),
    ("large", r"\boversized data\b|\bat most \d+ bytes\b"),
)
"""The first that fits counts. tests/fixtures/vectors/node_says.json says where the words come from."""
PATTERNS = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in TABLE]


def classify(message: str) -> NodeErrorKind:
    """known: it has these bytes. low, high: the nonce is not the next one. replacement: another has this nonce in
    the pool. underpriced, basefee: too little for the gas. busy: wait. large: it carries too much. The rest is a
    refusal."""
    return next((kind for kind, pattern in PATTERNS if pattern.search(message)), "other")
