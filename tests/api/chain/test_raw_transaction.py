"""Tests that the gateway accepts a signed transaction only if it is for our chain and has a valid
signature. It must call one of our contracts or be a plain transfer."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
import rlp
from eth_account import Account
from hypothesis import given
from hypothesis import strategies as st

from api.chain.allowed_methods import INVALID_PARAMS, REJECTED, CallRejected
from api.chain.raw_transaction import HALF_ORDER, admit, admit_nonce, callee
from tests.api.playground import ALICE, CONTRACT

KEY = "0x" + "11" * 32
OURS = frozenset({CONTRACT.lower()})
ORDER = 2 * HALF_ORDER + 1
FEES: dict[str, dict[str, Any]] = {
    "legacy": {"gasPrice": 1},
    "access list": {"gasPrice": 1, "accessList": [], "type": 1},
    "fee market": {"maxFeePerGas": 1, "maxPriorityFeePerGas": 1},
}


def signed(kind: str = "fee market", **more: Any) -> str:
    plain = {"nonce": 0, "gas": 100_000, "to": CONTRACT, "value": 0, "data": b"\x01", "chainId": 31337, **FEES[kind]}
    return "0x" + bytes(Account.sign_transaction({**plain, **more}, KEY).raw_transaction).hex()


def refused(raw: str) -> CallRejected:
    with pytest.raises(CallRejected) as caught:
        admit(raw, 31337, OURS)
    return caught.value


@pytest.mark.parametrize("kind", FEES)
def test_calls_of_our_contracts_and_plain_transfers_pass(kind: str) -> None:
    admit(signed(kind), 31337, OURS)
    admit(signed(kind, to=ALICE, data=b"", value=5), 31337, OURS)
    assert admit(signed(kind, data=bytes(8192), nonce=7), 31337, OURS) == (Account.from_key(KEY).address, 7)


@pytest.mark.parametrize("kind", ["", "02"])
def test_lists_in_lists_without_end_are_refused(kind: str) -> None:
    """Tests that the gateway rejects lists nested as deeply as the size limit allows. The RLP
    decoder recurses once for each list."""
    nested = b""
    while len(longer := rlp.codec.length_prefix(len(nested), 0xC0) + nested) <= 9000:
        nested = longer
    assert refused(f"0x{kind}{nested.hex()}").code == INVALID_PARAMS


def test_its_size_is_looked_at_before_it_is_read() -> None:
    with pytest.raises(CallRejected, match="at most 9216 bytes; this one has 9217"):
        callee("0x" + 9217 * "c0")


def test_a_nonce_far_ahead_is_refused() -> None:
    """Tests that the gateway rejects a nonce far ahead of the account's next nonce. Nodes store
    transactions that can't be mined yet, without a limit."""
    admit_nonce(5 + 64, 5)
    admit_nonce(0, 5)  # the gateway passes on a nonce that is too low, because the node rejects it
    with pytest.raises(CallRejected, match=r"at most 64 above the account's next nonce \(5\), but it is 70"):
        admit_nonce(70, 5)


@pytest.mark.parametrize("kind", FEES)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"chainId": 1}, "signed for chain 1, but this is chain 31337"),
        ({"to": ALICE}, "neither one of our contracts"),
        ({"to": b""}, "can't be created"),
        ({"to": b"", "data": b""}, "can't be created"),
        ({"gas": 2**24 + 1}, "at most 16777216 gas"),
        ({"data": bytes(8193)}, "at most 8192 bytes of data; this one has 8193"),
        ({"data": bytes(20_000)}, "at most 9216 bytes; this one has"),
    ],
)
def test_what_is_not_for_us_is_refused(kind: str, change: dict[str, Any], words: str) -> None:
    found = refused(signed(kind, **change))
    assert (found.code, words in found.message) == (REJECTED, True)


def test_a_signature_for_every_chain_is_refused() -> None:
    fields = rlp.decode(bytes.fromhex(signed("legacy")[2:]))
    fields[6] = b"\x1b"
    assert "signed for no chain" in refused("0x" + rlp.encode(fields).hex()).message


@pytest.mark.parametrize("s", [0, ORDER, 2**256 - 1])
@pytest.mark.parametrize("kind", FEES)
def test_a_signature_of_nobody_is_refused(kind: str, s: int) -> None:
    raw = bytes.fromhex(signed(kind)[2:])
    head, body = (b"", raw) if kind == "legacy" else (raw[:1], raw[1:])
    fields = rlp.decode(body)
    fields[-1] = s.to_bytes(32, "big").lstrip(b"\0")
    assert "signature is invalid" in refused("0x" + (head + rlp.encode(fields)).hex()).message


def test_the_twin_of_a_signature_is_refused() -> None:
    raw = bytes.fromhex(signed()[2:])
    fields = rlp.decode(raw[1:])
    fields[-1] = (ORDER - int.from_bytes(fields[-1], "big")).to_bytes(32, "big")
    fields[-3] = b"" if fields[-3] else b"\x01"
    assert "signature is invalid" in refused("0x" + (raw[:1] + rlp.encode(fields)).hex()).message


@pytest.mark.parametrize("raw", ["0x", "0x00", "0x01", "0x02c0", "0x02", "0xc0", "0xff", "0x03c0", "0x04c0", "0x7f"])
def test_what_is_no_transaction_is_refused(raw: str) -> None:
    assert refused(raw).code == INVALID_PARAMS


AUTHORIZATION = Account.sign_authorization({"chainId": 31337, "address": CONTRACT, "nonce": 0}, KEY)
OTHER_TYPES: dict[int, dict[str, Any]] = {
    3: {"maxFeePerBlobGas": 1, "blobVersionedHashes": [b"\x01" + bytes(31)]},
    4: {"authorizationList": [AUTHORIZATION]},
}


@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_blobs_and_delegations_are_refused(kind: int) -> None:
    """Tests signed transactions that carry blobs (EIP-4844) or delegate accounts to code (EIP-7702)
    and are otherwise allowed. They are also rejected in the disguise of other types."""
    raw = signed(**OTHER_TYPES[kind])
    assert raw.startswith(f"0x0{kind}")
    found = refused(raw)
    assert (found.code, f"type {kind} are not accepted" in found.message) == (INVALID_PARAMS, True)
    for disguised in (
        f"0x01{raw[4:]}",
        f"0x02{raw[4:]}",
        f"0x{raw[4:]}",
        "0x" + rlp.encode(bytes.fromhex(raw[2:])).hex(),
    ):
        assert refused(disguised).code == INVALID_PARAMS


def test_a_transaction_with_more_behind_it_is_refused() -> None:
    assert refused(signed() + "00").code == INVALID_PARAMS


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_a_sentence(raw: bytes) -> None:
    assert refused("0x" + raw.hex()).message


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_never_breaks_it(where: int, value: int) -> None:
    raw = bytearray.fromhex(SIGNED[2:])
    raw[where % len(raw)] = value
    with contextlib.suppress(CallRejected):  # any other exception fails the test
        admit("0x" + raw.hex(), 31337, OURS)


SIGNED = signed()
