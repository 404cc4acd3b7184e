"""Foreign code for ships, in bytecode small enough to read: put at an address by `anvil_setCode`."""

from __future__ import annotations


def answers(value: int, length: int = 32) -> str:
    """Returns `value` as one word, or a part of it, or more than it."""
    return f"0x7f{value:064x}5f5261{length:04x}5ff3"


REVERTS = "0x5f5ffd"
REVERTS_HUGE = "0x620186a05ffd"
"""Reverts with 100,000 bytes: costs whoever copies them."""
RETURNS_HUGE = "0x620186a05ff3"
BURNS = "0x5b5f56"
"""Loops until its gas is gone."""
INVALID = "0xfe"
STOPS = "0x00"
SELF_DESTRUCTS = "0x33ff"
