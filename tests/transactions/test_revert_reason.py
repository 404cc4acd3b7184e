"""Tests that the reason for a rejection is the contract's own error. Different nodes put this error
in different places of their answers."""

from __future__ import annotations

from typing import Any

import pytest
from eth_abi.abi import encode
from eth_utils.crypto import keccak

from contracts.rpc_errors import RpcError
from transactions.revert_reason import reason_of

NO_MATCH = "0x" + (keccak(text="NoSuchMatch(uint48)")[:4] + encode(["uint48"], [9])).hex()
WORDS = "0x08c379a0" + encode(["string"], ["too late"]).hex()


@pytest.mark.parametrize(
    ("message", "data", "reason"),
    [
        ("execution reverted: custom error 0xceadf636", NO_MATCH, "execution reverted: NoSuchMatch(matchId=9)"),
        ("Error: VM Exception", {"message": "", "data": NO_MATCH}, "execution reverted: NoSuchMatch(matchId=9)"),
        ("execution reverted: too late", WORDS, "execution reverted: Error(message=too late)"),
        ("execution reverted", NO_MATCH[:20], "execution reverted"),
        ("execution reverted", "0x12345678", "execution reverted"),
        ("execution reverted", None, "execution reverted"),
        ("insufficient funds", {"txHash": 5}, "insufficient funds"),
    ],
)
def test_a_reason(message: str, data: Any, reason: str) -> None:
    assert reason_of(RpcError(3, message, data)) == reason
