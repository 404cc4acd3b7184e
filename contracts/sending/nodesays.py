"""What a node means when it does not take a transaction: one table, by its words."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "known", "low", "high", "replacement", "underpriced", "basefee", "busy", "funds", "declined", "gas", "other"
]

TABLE: tuple[tuple[Kind, str], ...] = (
    ("known", r"already known|already imported|known transaction"),
    ("replacement", r"replacement transaction underpriced"),
    ("basefee", r"less than block base fee|maxFeePerGas .* is too low for the next block"),
    ("underpriced", r"transaction underpriced"),
    ("low", r"nonce too low"),
    ("high", r"nonce too high|gapped-nonce"),
    ("busy", r"txpool is full|account limit exceeded|in-flight transaction limit|future transaction tries to replace"),
    ("busy", r"at most \d+ calls of one address|at most \d+ requests of one address"),
    ("busy", r"at most \d+ transactions of one a|at most \d+ calls wait"),
    ("busy", r"node does not answer|node did not answer"),
    ("funds", r"insufficient funds|enough funds"),
    ("declined", r"user rejected|user denied"),
    ("gas", r"intrinsic gas too|requires at least \d+ gas|gas cap|block gas limit|may use at most \d+ gas"),
)
"""The first that fits counts. tests/vectors/node_says.json says where the words come from."""
PATTERNS = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in TABLE]


def kind_of(words: str) -> Kind:
    """known: it has these bytes. low, high: the nonce is not the next one. replacement: another has this nonce in
    the pool. underpriced, basefee: too little for the gas. busy: wait. The rest is a refusal."""
    return next((kind for kind, pattern in PATTERNS if pattern.search(words)), "other")
