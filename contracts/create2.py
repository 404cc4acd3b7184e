"""Creation at addresses that follow from the code alone (CREATE2), by the deployer that stands at the same address on
nearly every chain: https://github.com/Arachnid/deterministic-deployment-proxy."""

from __future__ import annotations

from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C"
DEPLOYER_CODE = (
    "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0"
    "3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
)
"""What stands there: the first 32 bytes of a call are the salt, the others the creation code."""
SALT = bytes(32)
"""Of all our contracts: so whoever deploys them, they are at the same addresses."""


def address_of(creation: str) -> str:
    """The checksummed address of a contract with this creation code (0x hex, arguments included)."""
    return _address(SALT, creation)


def call_data(creation: str) -> str:
    """The call of the deployer that creates it (0x hex)."""
    return "0x" + SALT.hex() + creation.removeprefix("0x")


def created_by(data: str) -> tuple[str, str]:
    """The address and the creation code (0x hex) of a call of the deployer. Raises ValueError for what is none."""
    call = bytes.fromhex(data.removeprefix("0x"))
    if len(call) <= len(SALT):
        raise ValueError(f"a call of the deployer has a salt and code, not {len(call)} bytes")
    creation = "0x" + call[len(SALT) :].hex()
    return _address(call[: len(SALT)], creation), creation


def _address(salt: bytes, creation: str) -> str:
    return to_checksum_address(keccak(b"\xff" + bytes.fromhex(DEPLOYER[2:]) + salt + keccak(hexstr=creation))[12:])
