"""Runs an Anvil node without contracts, for commands that take `--rpc`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from chainboard.chain.anvil import command
from chainboard.chain.child_process import end_child, start_child
from chainboard.chain.loopback import random_address
from tests.support.players import rpc_call
from tests.support.waiting import wait_for


@contextmanager
def anvil() -> Iterator[str]:
    address = random_address()
    process = start_child(command(address))
    try:
        wait_for(lambda: _answers(address.url), bool, "Anvil")
        yield address.url
    finally:
        end_child(process)


def _answers(url: str) -> bool:
    try:
        return bool(rpc_call(url, "eth_chainId"))
    except httpx.TransportError:
        return False
