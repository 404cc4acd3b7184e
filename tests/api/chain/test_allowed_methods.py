"""Tests the limits of JSON-RPC calls that the gateway checks without asking the node, such as the
block range of a log query or the gas of a batch."""

from __future__ import annotations

from typing import Any

import pytest

from api.chain.allowed_methods import CHECKS, LIMIT_EXCEEDED, MAX_LOG_BLOCKS, CallLimits, CallRejected, callee, gas_of
from tests.api.playground import CONTRACT

HEAD = 50_000
LIMITS = CallLimits(frozenset({CONTRACT.lower()}), HEAD, 1_000_000)


def logs(**given: Any) -> Any:
    return CHECKS["eth_getLogs"]("eth_getLogs", [given], LIMITS)[0]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("earliest", hex(MAX_LOG_BLOCKS - 1)),
        (hex(HEAD - MAX_LOG_BLOCKS + 1), "latest"),
        (hex(HEAD - MAX_LOG_BLOCKS + 1), hex(10**12)),
        ("latest", "latest"),
        ("pending", "safe"),
        (hex(HEAD + 5), hex(HEAD + 10**9)),
    ],
)
def test_ranges_that_pass(first: str, last: str) -> None:
    assert logs(fromBlock=first, toBlock=last) == {
        "fromBlock": first,
        "toBlock": last,
        "address": [CONTRACT.lower()],
        "topics": [],
    }


@pytest.mark.parametrize(
    ("first", "last"),
    [("earliest", hex(MAX_LOG_BLOCKS)), ("0x0", "latest"), (hex(HEAD - MAX_LOG_BLOCKS), hex(10**12))],
)
def test_ranges_that_are_too_wide(first: str, last: str) -> None:
    with pytest.raises(CallRejected) as refused:
        logs(fromBlock=first, toBlock=last)
    assert (refused.value.code, str(MAX_LOG_BLOCKS) in refused.value.message) == (LIMIT_EXCEEDED, True)


def test_a_range_without_ends_is_the_newest_block() -> None:
    found = logs(address=CONTRACT)
    assert (found["fromBlock"], found["toBlock"], found["address"]) == ("latest", "latest", [CONTRACT])


@pytest.mark.parametrize(
    ("method", "params", "gas"),
    [
        ("eth_call", [{"gas": "0x10"}, "latest"], 16),
        ("eth_call", [{}, "latest"], None),
        ("eth_call", [{"gas": 5}, "latest"], None),
        ("eth_call", "rubbish", None),
        ("eth_chainId", [], 0),
    ],
)
def test_the_gas_that_a_call_names(method: str, params: Any, gas: int | None) -> None:
    assert gas_of(method, params) == gas


def test_a_call_without_gas_is_given_its_share() -> None:
    call = {"to": CONTRACT, "data": "0x12345678"}
    passed = CHECKS["eth_call"]("eth_call", [call, "latest"], LIMITS)
    assert passed == [{**call, "gas": hex(LIMITS.gas)}, "latest"]


L1_FEE_ORACLE = "0x420000000000000000000000000000000000000F"


def test_the_oracle_of_the_fee_for_data_is_asked_for_that_alone() -> None:
    fee = {"to": L1_FEE_ORACLE, "data": "0x49948e0e" + "00" * 64}
    passed = CHECKS["eth_call"]("eth_call", [fee, "latest"], LIMITS)
    assert passed == [{**fee, "gas": hex(LIMITS.gas)}, "latest"]
    assert callee("eth_call", [fee, "latest"]) is None
    both = {**fee, "input": fee["data"]}
    assert CHECKS["eth_call"]("eth_call", [both, "latest"], LIMITS) == [{**both, "gas": hex(LIMITS.gas)}, "latest"]
    for other in ({"data": fee["data"], "input": "0x12345678"}, {"data": "0x4994", "input": "0x8e0e"}):
        with pytest.raises(CallRejected, match="the fields data and input mean the same"):
            CHECKS["eth_call"]("eth_call", [{"to": L1_FEE_ORACLE, **other}, "latest"], LIMITS)
    for method, call in (
        ("eth_call", {**fee, "data": "0x12345678"}),
        ("eth_call", {"to": L1_FEE_ORACLE, "data": "0x"}),
        ("eth_call", {**fee, "to": "0x" + "42" * 20}),
        ("eth_estimateGas", fee),
        ("eth_call", {"to": L1_FEE_ORACLE, "input": "0x12345678"}),
    ):
        with pytest.raises(CallRejected, match="neither one of our contracts"):
            CHECKS[method](method, [call, "latest"], LIMITS)


@pytest.mark.parametrize("count", ["0x32", 50])
def test_a_fee_history_is_bounded_as_a_whole(count: Any) -> None:
    passed = CHECKS["eth_feeHistory"]("eth_feeHistory", [count, "latest", [1] * 100], LIMITS)
    assert passed == ["0x32", "latest", [1] * 100]
    assert CHECKS["eth_feeHistory"]("eth_feeHistory", [1024, "latest", [1, 2, 3, 4]], LIMITS)
    with pytest.raises(
        CallRejected, match=r"51 blocks with 99 percentiles each are 5049 values, but at most 5000 are allowed"
    ):
        CHECKS["eth_feeHistory"]("eth_feeHistory", [51, "latest", [1] * 99], LIMITS)


TOPIC = "0x" + "1" * 64


@pytest.mark.parametrize("topics", [[], [None], [TOPIC] * 4, [[TOPIC, None] * 16, None, []]])
def test_topics_that_pass(topics: Any) -> None:
    assert logs(topics=topics)["topics"] == topics


@pytest.mark.parametrize("topics", [[[[]]], [[[TOPIC]]], [[TOPIC] * 33], [TOPIC] * 5, TOPIC, [{}]])
def test_topics_that_do_not(topics: Any) -> None:
    """Tests that the gateway rejects deeply nested topics. The node's parser can't handle them and
    would close the connection."""
    with pytest.raises(
        CallRejected,
        match=r"topics may have at most 4 items\. Each must be null, a hash, or a list of at most 32 hashes",
    ):
        logs(topics=topics)
