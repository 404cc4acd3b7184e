"""Parses the errors with which providers reject requests. Reports which limit a request exceeded,
and what the provider allows.

There is no standard for these errors. The code -32005 of EIP-1474 can mean any limit, and most
providers use their own codes and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from contracts.rpc_errors import RpcError

RejectionKind: TypeAlias = Literal["rate", "batch", "results", "range", "method"]
TOO_MANY_REQUESTS = 429
"""The HTTP status for too many requests. Some providers also use it as a JSON-RPC error code."""
NO_METHOD = (-32601, -32004)
"""The error codes for an unknown method. JSON-RPC defines the first code. EIP-1474 defines the
second, which Hardhat uses."""
KIND_PATTERNS: tuple[tuple[RejectionKind, str], ...] = (
    (
        "batch",
        r"batch.*(?:limit|too (?:large|big)|more than|exceed|maximum|not (?:supported|allowed))|in (?:1|one) batch",
    ),
    (
        "rate",
        r"per second|/second|request rate|rate.?limit|project rate|too many requests|rps limit|capacity limit",
    ),
    ("rate", r"(?:daily|monthly).{0,20}(?:limit|quota)|exceeded.{0,20}quota"),
    (
        "results",
        r"more than [\d,]+ results|exceeds? max results|logs matched|response (?:size|is )|response too large",
    ),
    ("results", r"query (?:timeout|timed out)"),
    (
        "range",
        r"block range|blocks range|\brange\b.*(?:limit|exceed|too|max)|limited to an? [\d,.]+ range|max range",
    ),
    (
        "range",
        r"blocks distance|too many blocks|requested blocks|ranges over|limit.{0,30}\d blocks|smaller than size",
    ),
    ("method", r"method\b.{0,80}(?:not (?:found|supported|available|allowed|exist|enabled|whitelisted)|disabled)"),
    ("method", r"(?:unsupported|unknown) method"),
)
"""Patterns for the texts of errors, each with the kind of limit. The first pattern that matches
counts. The order matters, because texts about batches or rates can also contain `limit` and
`range`."""
MAX_TEXT = 1000
MAX_LIMIT = 10**15
"""Larger numbers in an error's text are not limits."""
COMPILED_PATTERNS = tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in KIND_PATTERNS)
LIMIT_PATTERN = re.compile(
    r"(?=(?:limit|max|most|up to|than|over|exceed|distance|size|allowed|>)[^\d.,;]{0,40}?\b(\d[\d,.]*)(k\b)?)",
    re.IGNORECASE,
)
"""Matches a number in an error's text that might be the limit. Of several numbers, the smallest is
the limit, as in "range 5120 exceeds 5000"."""
SUGGESTED_RANGE = re.compile(r"\[(0x[0-9a-f]+), *(0x[0-9a-f]+)\]|(\d+) *- *(\d+)", re.IGNORECASE)
"""Matches a shorter range of blocks that a provider suggests, such as `[0x1, 0x3e8]`."""
TRANSACTION_ERRORS = re.compile(r"execution reverted|gas|nonce|funds|fee|underpriced|initcode|code size", re.IGNORECASE)
"""Matches errors about transactions and calls. These errors can mention other limits."""


@dataclass(frozen=True, slots=True)
class ProviderRejection:
    """A limit that a request exceeded, with the numbers that the provider states.

    - `limit`: the allowed number of blocks, logs, calls per batch, or calls per second
    - `blocks`: the number of blocks in a shorter range that the provider suggests
    - `seconds`: how long to wait
    """

    kind: RejectionKind
    limit: int | None = None
    blocks: int | None = None
    seconds: float | None = None


def rejection_of(error: RpcError) -> ProviderRejection | None:
    """Return the limit that this error reports, or None if the error has another cause. Only the
    first MAX_TEXT characters of the text are read."""
    text = f"{str(error)[:MAX_TEXT]} {_text_of(error.data)}"[:MAX_TEXT]
    if TRANSACTION_ERRORS.search(text):
        return None
    kind = next((kind for kind, words in COMPILED_PATTERNS if words.search(text)), None)
    if error.code == TOO_MANY_REQUESTS or kind == "rate":
        return _rate(error)
    if kind is None:
        return ProviderRejection("method") if error.code in NO_METHOD else None
    if kind == "method":
        return ProviderRejection(kind)
    return ProviderRejection(
        kind, _limit(SUGGESTED_RANGE.sub("", text)), _suggested_blocks(text) if kind != "batch" else None
    )


def _rate(error: RpcError) -> ProviderRejection:
    """Return the rate limit that an error reports. Infura states the allowed rate and the time to
    wait in the error's data."""
    data: Mapping[str, Any] = error.data if isinstance(error.data, Mapping) else {}
    within = data.get("rate")
    rate: Mapping[str, Any] = within if isinstance(within, Mapping) else data
    each_second = re.search(r"(\d+)/second", str(error)[:MAX_TEXT])
    allowed = _positive(rate.get("allowed_rps")) or (_positive(each_second[1]) if each_second else None)
    return ProviderRejection(
        "rate", int(allowed) or None if allowed else None, None, _positive(rate.get("backoff_seconds"))
    )


def _positive(value: Any) -> float | None:
    """Convert a number or a text to a positive number. Return None for anything else."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 < number < MAX_LIMIT else None


def _limit(text: str) -> int | None:
    numbers = [int(re.sub(r"\D", "", digits)) * (1000 if k else 1) for digits, k in LIMIT_PATTERN.findall(text)]
    return min((number for number in numbers if 0 < number < MAX_LIMIT), default=None)


def _suggested_blocks(text: str) -> int | None:
    """Return the number of blocks in the range that the provider suggests, or None."""
    if (match := SUGGESTED_RANGE.search(text)) is None:
        return None
    first, last = (int(one, 16 if one[:2] in ("0x", "0X") else 10) for one in match.groups() if one is not None)
    return last - first + 1 if first <= last < MAX_LIMIT else None


def _text_of(data: Any) -> str:
    """Return the text in an error's data. Tenderly, for example, explains the error there."""
    if isinstance(data, Mapping):
        return " ".join(value for value in data.values() if isinstance(value, str))
    return data if isinstance(data, str) else ""
