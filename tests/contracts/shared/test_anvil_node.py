"""Tests that the test helper for Anvil executes each transaction only once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.support.anvil import AnvilNode

pytestmark = pytest.mark.anvil  # the tests are about Anvil itself


def test_what_anvil_hides_for_a_while_is_not_carried_out_twice(
    node: AnvilNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow machine, Anvil can hide a transaction for a while: it is neither in the pool nor in
    a block. Tests that the transaction isn't executed twice."""
    mined, looks = AnvilNode._wait_for_receipt, iter([None])

    def hidden(one: AnvilNode, digest: str) -> dict[str, Any] | None:
        return next(looks, mined(one, digest))

    monkeypatch.setattr(AnvilNode, "_wait_for_receipt", hidden)
    sender, to = node.accounts[:2]
    before = int(node.rpc("eth_getBalance", to, "latest"), 16)
    receipt = node.send(sender, to, "0x", 21_000, 7)
    assert int(receipt["status"], 16) == 1
    assert int(node.rpc("eth_getBalance", to, "latest"), 16) - before == 7
