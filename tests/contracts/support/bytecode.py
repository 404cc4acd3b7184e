"""Foreign contracts in short bytecode. `anvil_setCode` puts them at an address."""

from __future__ import annotations


def answers(value: int, length: int = 32) -> str:
    """Code that returns the first `length` bytes of `value`, padded with zeros after 32 bytes."""
    return f"0x7f{value:064x}5f5261{length:04x}5ff3"


REVERTS = "0x5f5ffd"
REVERTS_HUGE = "0x620186a05ffd"
"""Reverts with 100,000 bytes, which cost gas if a caller copies them."""
RETURNS_HUGE = "0x620186a05ff3"
BURNS = "0x5b5f56"
"""Loops until it runs out of gas."""
INVALID = "0xfe"
STOPS = "0x00"
SELF_DESTRUCTS = "0x33ff"


def works_until(left: int, answer: int) -> str:
    """Code that loops until less than `left` gas remains, then returns `answer`."""
    return f"0x5b5a61{left:04x}105f5760{answer >> 8:02x}60081b60{answer & 255:02x}175f5260205ff3"


def calls(address: str, data: str, answer: int) -> str:
    """Code that calls another contract with 8,000 gas, and then returns `answer`.

    It stores in slot 0 the first four bytes of the result, followed by 1 for a failure, else 2."""
    payload = data[2:]
    length = len(payload) // 2
    call = f"5f5f61{length:04x}5f5f73{address[2:]}611f40f1"
    keep = "60010160045f5f3e5f5160e01c60081b175f55"
    finish = f"7f{answer:064x}5f5260205ff3"
    head = 8 + len(call + keep + finish) // 2
    return f"0x61{length:04x}61{head:04x}5f39{call}{keep}{finish}{payload}"


def sends_for(driver: str, own_code: str) -> bytes:
    """Code that lets `driver` call anything as this account, by the data of `sent_by_driver`.

    For all other callers it runs the code at `own_code`. It returns or reverts with the result."""
    own = f"365f5f375f5f365f73{own_code[2:]}5af4605156"
    driven = "5b604036038060405f375f5f915f6020355f355af1"
    return bytes.fromhex(f"3373{driver[2:]}14603c57{own}{driven}5b3d5f5f3e605c573d5ffd5b3d5ff3")


def sent_by_driver(to: str, value: int, data: bytes) -> bytes:
    return bytes.fromhex(f"{to[2:]:0>64}{value:064x}") + data
