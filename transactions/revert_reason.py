"""Finds out why a transaction was rejected or failed. The reason is the contract's custom error or,
if there is none, the node's message."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from eth_abi.abi import decode
from eth_utils.abi import collapse_if_tuple
from eth_utils.crypto import keccak

from contracts.artifacts import FOLDER
from contracts.rpc_errors import RpcError

REVERTED = "execution reverted"
SOLIDITY: tuple[dict[str, Any], ...] = (
    {"name": "Error", "inputs": [{"name": "message", "type": "string"}]},
    {"name": "Panic", "inputs": [{"name": "code", "type": "uint256"}]},
)


def reason_of(refusal: RpcError) -> str:
    """Return the contract's error, for example `execution reverted: NotYourTurn(player=0x…)`. If
    the error is unknown, return the node's message."""
    error = _decoded_error(_revert_data(refusal.data))
    return f"{REVERTED}: {error}" if error else refusal.message


def _revert_data(error_data: Any) -> str:
    """Return the revert data in a node's error. Some nodes nest the data one level deeper."""
    data = error_data.get("data") if isinstance(error_data, dict) else error_data
    return data if isinstance(data, str) and data.startswith("0x") else "0x"


def _decoded_error(data: str) -> str:
    """Return the name and the values of the error that the revert data encodes. Return an empty
    string if neither Solidity nor our contracts define this error."""
    error = _errors().get(data[:10].lower())
    if error is None:
        return ""
    types = [collapse_if_tuple(one) for one in error["inputs"]]
    try:
        values = decode(types, bytes.fromhex(data[10:]))
    except Exception:  # hostile bytes can raise all kinds of errors here
        return ""
    arguments = ", ".join(f"{one['name']}={value}" for one, value in zip(error["inputs"], values, strict=True))
    return f"{error['name']}({arguments})"


@cache
def _errors() -> dict[str, dict[str, Any]]:
    """Return the errors that Solidity and all our contracts define. The keys are the errors'
    selectors."""
    ours = [one for path in sorted(FOLDER.glob("*.json")) for one in json.loads(path.read_text("utf-8"))["abi"]]
    return {_selector(one): one for one in (*SOLIDITY, *ours) if one.get("type", "error") == "error"}


def _selector(error: dict[str, Any]) -> str:
    types = ",".join(collapse_if_tuple(one) for one in error["inputs"])
    return "0x" + keccak(text=f"{error['name']}({types})")[:4].hex()
