"""An Anvil without contracts, whose node is given to commands by `--rpc`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import httpx

from chainboard.chain.anvil import command
from chainboard.chain.child_process import end_child, start_child
from chainboard.chain.loopback import random_address
from tests.support.players import direct

START_SECONDS = 60.0


@contextmanager
def anvil() -> Iterator[str]:
    """The URL of one that runs."""
    address = random_address()
    process = start_child(command(address))
    try:
        deadline = monotonic() + START_SECONDS
        while not _answers(address.url):
            assert monotonic() < deadline
            sleep(0.02)
        yield address.url
    finally:
        end_child(process)


def _answers(url: str) -> bool:
    try:
        return bool(direct(url, "eth_chainId"))
    except httpx.TransportError:
        return False
