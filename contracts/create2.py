"""Computes deployments at addresses that depend only on the creation code (CREATE2).

The deployer contract has the same address on nearly every chain:
https://github.com/Arachnid/deterministic-deployment-proxy.
"""

from __future__ import annotations

from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C"
DEPLOYER_CODE = (
    "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0"
    "3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
)
"""The code of the deployer. The data of a call to the deployer is the salt (32 bytes) followed by
the creation code."""
SALT = bytes(32)
"""The salt for all our contracts. The contracts' addresses don't depend on the account that deploys
them."""


def address_of(creation: str) -> str:
    """Return the checksummed address of the contract that this creation code creates.

    The creation code (0x hex) includes the constructor's arguments."""
    return _address(SALT, creation)


def call_data(creation: str) -> str:
    """Return the data (0x hex) of the deployer call that creates a contract."""
    return "0x" + SALT.hex() + creation.removeprefix("0x")


def parse_call_data(data: str) -> tuple[str, str]:
    """Parse the calldata of a call to the deployer. Return the new contract's address and its
    creation code (0x hex).

    `data` is the calldata (0x hex). Raises ValueError if it is too short."""
    call = bytes.fromhex(data.removeprefix("0x"))
    if len(call) <= len(SALT):
        raise ValueError(
            f"a call to the deployer needs a 32-byte salt followed by code, but has only {len(call)} bytes"
        )
    creation = "0x" + call[len(SALT) :].hex()
    return _address(call[: len(SALT)], creation), creation


def _address(salt: bytes, creation: str) -> str:
    return to_checksum_address(keccak(b"\xff" + bytes.fromhex(DEPLOYER[2:]) + salt + keccak(hexstr=creation))[12:])
