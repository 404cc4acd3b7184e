"""Loopback addresses that web pages can't guess, each with a free port."""

from __future__ import annotations

import json
import secrets
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from chainboard.data_folder import write_json
from chainboard.errors import UserError

LOCALHOST = "127.0.0.1"
TRIES = 20
FIRST_PORT = 2**15


@dataclass(frozen=True, slots=True)
class Address:
    """The address at which one of our own servers listens on this machine."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def is_free(self) -> bool:
        """True if no program is listening at this address now."""
        try:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((self.host, self.port))
        except OSError:
            return False
        return True


def remembered_address(path: Path) -> Address:
    """Return the address that is stored in a private file, so that a restarted server keeps its
    address. If there is no file or another program uses the address, choose a new random address
    and store it."""
    with suppress(OSError, OverflowError, ValueError, KeyError, TypeError):
        found = json.loads(path.read_text("utf-8"))
        address = Address(str(found["host"]), int(found["port"]))
        if address.is_free:
            return address
    address = random_address()
    write_json(path, asdict(address), private=True)
    return address


def random_address() -> Address:
    """Return a random loopback address with a free port.

    Any web page can send requests to loopback addresses, and could try all ports of a known host.
    Therefore, 24 bits of the host and 15 bits of the port are random. Systems such as macOS have
    only the host 127.0.0.1, so only the 15 bits of the port are random there."""
    host = f"127.{secrets.randbelow(256)}.{secrets.randbelow(256)}.{1 + secrets.randbelow(254)}"
    for one in (host, LOCALHOST):
        for _ in range(TRIES):
            address = Address(one, FIRST_PORT + secrets.randbelow(2**16 - FIRST_PORT))
            if address.is_free:
                return address
    raise UserError(f"there is no free port on {LOCALHOST}")
