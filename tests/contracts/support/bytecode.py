"""Short bytecode for contracts that belong to strangers. Tests install the bytecode at an address
with `anvil_setCode`."""

from __future__ import annotations


def answers(value: int, length: int = 32) -> str:
    """Return bytecode that returns the 32 bytes of `value`, cut off or padded with zeros to
    `length` bytes."""
    return f"0x7f{value:064x}5f5261{length:04x}5ff3"


REVERTS = "0x5f5ffd"
REVERTS_HUGE = "0x620186a05ffd"
"""Bytecode that reverts with 100,000 bytes of data. A caller that copies the data pays gas for it.
"""
BURNS = "0x5b5f56"
"""Bytecode that loops until it runs out of gas."""
STOPS = "0x00"


def works_until(left: int, answer: int) -> str:
    """Return bytecode that loops until less than `left` gas remains, and then returns `answer`."""
    return f"0x5b5a61{left:04x}105f5760{answer >> 8:02x}60081b60{answer & 255:02x}175f5260205ff3"


def calls(address: str, data: str, answer: int) -> str:
    """Return bytecode that calls a contract with 8,000 gas and then returns `answer`.

    The bytecode stores the outcome in slot 0: the first four bytes of the call's result, followed
    by 1 if the call failed or 2 if it succeeded."""
    payload = data[2:]
    length = len(payload) // 2
    call = f"5f5f61{length:04x}5f5f73{address[2:]}611f40f1"
    keep = "60010160045f5f3e5f5160e01c60081b175f55"
    finish = f"7f{answer:064x}5f5260205ff3"
    head = 8 + len(call + keep + finish) // 2
    return f"0x61{length:04x}61{head:04x}5f39{call}{keep}{finish}{payload}"


def sends_for(driver: str, own_code: str) -> bytes:
    """Return bytecode for an account with code. With this bytecode, the address in `driver` can
    make any call in the account's name.

    To make a call, this address sends the account the data that `sent_by_driver` returns. For any
    other caller, the account runs the code at the address in `own_code`. For all callers, the
    account returns or reverts with the result.
    """
    own = f"365f5f375f5f365f73{own_code[2:]}5af4605156"
    driven = "5b604036038060405f375f5f915f6020355f355af1"
    return bytes.fromhex(f"3373{driver[2:]}14603c57{own}{driven}5b3d5f5f3e605c573d5ffd5b3d5ff3")


def sent_by_driver(to: str, value: int, data: bytes) -> bytes:
    return bytes.fromhex(f"{to[2:]:0>64}{value:064x}") + data
