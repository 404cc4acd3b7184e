"""Typed data (EIP-712) that accounts sign for this server. It is never sent to the chain."""

from __future__ import annotations

from typing import Any, TypeAlias

from eth_account import Account
from eth_account.messages import encode_typed_data

Types: TypeAlias = dict[str, list[dict[str, str]]]
"""The name of the signed struct, with the names and types of its fields."""


def is_signed_by(account: str, chain_id: int, types: Types, message: dict[str, Any], signature: str) -> bool:
    """Return True if the account has signed the message. Return False for a contract account,
    because only the chain can check its signature."""
    domain = {"name": "Chainboard", "version": "1", "chainId": chain_id}
    try:
        signable = encode_typed_data(domain, types, message)
        signer = Account.recover_message(signable, signature=signature)
    except Exception:  # bytes from an attacker can raise any kind of error here
        return False
    return bool(signer.lower() == account.lower())
