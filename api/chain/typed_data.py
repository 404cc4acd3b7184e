"""Typed data (EIP-712) that accounts sign for this server. No transaction is made of it."""

from __future__ import annotations

from typing import Any, TypeAlias

from eth_account import Account
from eth_account.messages import encode_typed_data

Types: TypeAlias = dict[str, list[dict[str, str]]]
"""The one struct that is signed: its fields with their names and types."""


def is_signed_by(account: str, chain_id: int, types: Types, message: dict[str, Any], signature: str) -> bool:
    """Whether the account has signed it. Of a contract account only the chain could tell: False."""
    domain = {"name": "Chainboard", "version": "1", "chainId": chain_id}
    try:
        signable = encode_typed_data(domain, types, message)
        signer = Account.recover_message(signable, signature=signature)
    except Exception:  # the library has no one error for bytes that are no signature
        return False
    return bool(signer.lower() == account.lower())
