"""Loopback addresses: a port that is free, and an address that no web page can guess."""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass

from chainboard.trouble import Trouble

LOCALHOST = "127.0.0.1"
TRIES = 20
FIRST_PORT = 2**15


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server of ours listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def is_free(self) -> bool:
        """Whether a server could listen there now."""
        with suppress(OSError):
            return _bound(self.host, self.port) == self.port
        return False


def unguessable() -> Address:
    """A free address of this machine alone, 24 bits of host and 15 of port, drawn as keys are: any web page can send to
    a loopback address that it knows, and could try them all if only the port were to be found. Systems that have
    127.0.0.1 alone (macOS) give the port's 15 bits."""
    host = f"127.{secrets.randbelow(256)}.{secrets.randbelow(256)}.{1 + secrets.randbelow(254)}"
    for one in (host, LOCALHOST):
        for _ in range(TRIES):
            address = Address(one, FIRST_PORT + secrets.randbelow(2**16 - FIRST_PORT))
            if address.is_free:
                return address
    raise Trouble(f"no free port at {LOCALHOST}")


def _bound(host: str, port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        return int(probe.getsockname()[1])
