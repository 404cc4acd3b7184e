"""Decodes clients' signed transactions. Only plain transfers and calls to our contracts are
accepted."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import rlp
from eth_account import Account

from api.chain.allowed_methods import INVALID_PARAMS, LIMIT_EXCEEDED, REJECTED, CallRejected
from contracts.abi import MAX_GAS

MAX_DATA = 8 * 1024
"""The maximum length of a transaction's data, in bytes. The page's longest call has 800 bytes:
the call that reveals a fleet in Battleship."""
MAX_SIGNED = MAX_DATA + 1024
MAX_AHEAD = 64
HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0
"""Half of secp256k1's order. A signature with a greater `s` is rejected, because anybody can derive
it from a valid signature without the key (EIP-2)."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """The fields of a signed transaction that decide whether it is accepted. If `chain_id` is None,
    the transaction is signed for every chain."""

    chain_id: int | None
    nonce: int
    to: bytes
    data: bytes
    gas: int
    s: int


def admit(raw: str, chain_id: int, contracts: Set[str]) -> tuple[str, int]:
    """Return the transaction's signer and nonce.

    Raises CallRejected unless the transaction is signed for our chain and has a valid signature. It
    must call one of `contracts` (lower-case 0x hex) or be a plain transfer. Its data and its gas
    limit must not exceed MAX_DATA and MAX_GAS. The check takes a few milliseconds, so don't run it
    in the event loop."""
    signed = _bytes(raw)
    found = decode(signed)
    if found.chain_id != chain_id:
        actual = "no chain" if found.chain_id is None else f"chain {found.chain_id}"
        raise CallRejected(REJECTED, f"The transaction is signed for {actual}, but this is chain {chain_id}.")
    if not found.to:
        raise CallRejected(REJECTED, "Contracts can't be created through this server.")
    if found.data and "0x" + found.to.hex() not in contracts:
        detail = (
            f"The transaction calls 0x{found.to.hex()}, which is neither one of our contracts nor a "
            "token that a match uses. Only plain transfers may go to other addresses."
        )
        raise CallRejected(REJECTED, detail)
    if len(found.data) > MAX_DATA:
        detail = f"A transaction may carry at most {MAX_DATA} bytes of data; this one has {len(found.data)}."
        raise CallRejected(REJECTED, detail)
    if found.gas > MAX_GAS:
        raise CallRejected(REJECTED, f"A transaction may use at most {MAX_GAS} gas; this one asks for {found.gas}.")
    return _recover(signed, found.s), found.nonce


def admit_nonce(nonce: int, next_nonce: int) -> None:
    """Check that a nonce is at most MAX_AHEAD above the account's next nonce. Raises CallRejected
    otherwise. Transactions with higher nonces can't be mined yet, and a node would store any number
    of these transactions."""
    if nonce > next_nonce + MAX_AHEAD:
        detail = (
            f"The nonce may be at most {MAX_AHEAD} above the account's next nonce ({next_nonce}), but it is {nonce}."
        )
        raise CallRejected(LIMIT_EXCEEDED, detail)


def callee(raw: str) -> str | None:
    """Return the recipient of a signed transaction, in lower case, or None if the transaction
    creates a contract. Raises CallRejected if the transaction can't be read."""
    to = decode(_bytes(raw)).to
    return "0x" + to.hex() if to else None


def _bytes(raw: str) -> bytes:
    # apart from its data, a transaction contains only short fields and perhaps a short access list
    if len(raw) > 2 + 2 * MAX_SIGNED:
        size = (len(raw) - 2) // 2
        raise CallRejected(REJECTED, f"A signed transaction may have at most {MAX_SIGNED} bytes; this one has {size}.")
    return bytes.fromhex(raw[2:])


def decode(signed: bytes) -> Transaction:
    """Decode a legacy, access-list or fee-market transaction. Raises CallRejected for other
    types."""
    kind = signed[0] if signed else 0
    try:
        if kind in (1, 2):
            return _typed(kind, rlp.decode(signed[1:]))
        if kind >= 0xC0:
            return _legacy(rlp.decode(signed))
    except (rlp.exceptions.RLPException, ValueError, TypeError, IndexError, RecursionError):
        raise CallRejected(
            INVALID_PARAMS, "The parameter is not a signed transaction: its RLP can't be read."
        ) from None
    raise CallRejected(INVALID_PARAMS, f"Transactions of type {kind} are not accepted; use type 0, 1 or 2.")


def _typed(kind: int, fields: list[bytes]) -> Transaction:
    """Decode the fields of EIP-2930 and EIP-1559 transactions: [chain id, nonce, fee…, gas, to,
    value, data, access list, parity, r, s]."""
    shift = kind - 1
    if len(fields) != 11 + shift:
        raise ValueError(len(fields))
    gas, to, _value, data = fields[3 + shift : 7 + shift]
    return Transaction(_int(fields[0]), _int(fields[1]), _to(to), bytes(data), _int(gas), _int(fields[-1]))


def _legacy(fields: list[bytes]) -> Transaction:
    """Decode the fields of a legacy transaction: [nonce, fee, gas, to, value, data, v, r, s]. Since
    EIP-155, `v` contains the chain id."""
    if len(fields) != 9:
        raise ValueError(len(fields))
    v = _int(fields[6])
    chain_id = (v - 35) // 2 if v >= 35 else None
    nonce, _price, gas, to, _value, data = fields[:6]
    return Transaction(chain_id, _int(nonce), _to(to), bytes(data), _int(gas), _int(fields[8]))


def _int(field: bytes) -> int:
    if not isinstance(field, bytes) or len(field) > 32:
        raise ValueError(field)
    return int.from_bytes(field, "big")


def _to(field: bytes) -> bytes:
    if not isinstance(field, bytes) or len(field) not in (0, 20):
        raise ValueError(field)
    return field


def _recover(signed: bytes, s: int) -> str:
    try:
        if s > HALF_ORDER:
            raise ValueError(s)
        return str(Account.recover_transaction(signed))
    except Exception:  # bytes from an attacker can raise any kind of error here
        raise CallRejected(REJECTED, "The transaction's signature is invalid.") from None
