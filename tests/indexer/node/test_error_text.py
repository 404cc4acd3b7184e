"""Tests that the text of a provider's error is short and printable. Published errors must not
contain addresses or keys."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.node.client import NodeError, NodeUnavailable
from indexer.node.error_text import MAX_DATA, MAX_PUBLISHED, MAX_READ, public_data, public_text

KEY = "9aa3d95b3bc440fa88ea12eaa4456161"


@pytest.mark.parametrize(
    ("text", "published"),
    [
        (f"upstream https://mainnet.example/v3/{KEY} failed", "upstream … failed"),
        (f"bad path /v3/{KEY}", "bad path /v3/…"),
        ("dial tcp 10.0.0.5:8545: connection refused", "dial tcp …: connection refused"),
        ("node-7.internal:8545 is down", "… is down"),
        ("API_KEY=q1w2e3 is wrong", "… is wrong"),
        ("invalid token: q1w2e3", "invalid …"),
        ("0b5ae3ac-9f0b-4a4c-b5f6-000000000000 has no credit", "… has no credit"),
        ("an access token is needed", "an access token is needed"),
        ("nonce too low: address 0x" + "1a" * 20 + ", tx: 5 state: 6",) * 2,
        ("custom error 0x1234abcd" + "0" * 64,) * 2,
        ("insufficient funds: have 0 want 25000000000000000000",) * 2,
        ("method eth_getBlockReceipts is not supported",) * 2,
        ("\x1b[2J\x07", "\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_addresses_and_keys_are_not_published(text: str, published: str) -> None:
    assert public_text(text) == published


@pytest.mark.parametrize("length", range(MAX_READ - 40, MAX_READ + 2))
def test_a_key_where_the_text_is_cut_is_not_published_in_part(length: int) -> None:
    long = "https://" + "a" * (length - 9) + " " + KEY + " " + "b" * 5_000_000
    assert KEY[:4] not in public_text(long)


def test_an_error_is_short_and_printable_for_the_operator_too() -> None:
    text = "\x1b]0;mine\x07" + "x" * 5_000_000
    for error in (NodeError(-32000, text), NodeUnavailable("http://a", text)):
        assert str(error).isprintable()
        assert len(str(error)) < MAX_READ + 100
    assert len(public_text(text)) <= MAX_PUBLISHED


@pytest.mark.parametrize(
    ("data", "published"),
    [
        ("0x08c379a0", "0x08c379a0"),
        ({"message": KEY, "data": "0x08c379a0"}, "0x08c379a0"),
        ({"see": f"https://a/{KEY}"}, None),
        (KEY, None),
        ("0x" + "0" * MAX_DATA, None),
        (None, None),
    ],
)
def test_of_an_errors_data_only_a_reverts_is_published(data: Any, published: str | None) -> None:
    assert public_data(data) == published
