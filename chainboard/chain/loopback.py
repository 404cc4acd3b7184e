"""Loopback addresses: a port that is free, and an address that no web page can guess."""

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
    """The address on which a server of ours listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def is_free(self) -> bool:
        """True when the port is free now."""
        try:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((self.host, self.port))
        except OSError:
            return False
        return True


def remembered_address(path: Path) -> Address:
    """The address in a file that only this user can read: a server restarts where its clients look for it. A random one
    where there is no file yet, or another program has the address."""
    with suppress(OSError, OverflowError, ValueError, KeyError, TypeError):
        found = json.loads(path.read_text("utf-8"))
        address = Address(str(found["host"]), int(found["port"]))
        if address.is_free:
            return address
    address = random_address()
    write_json(path, asdict(address), private=True)
    return address


def random_address() -> Address:
    """A free loopback address, 24 bits of host and 15 of port, drawn as keys are: any web page can send to a loopback
    address that it knows, and could try them all if only the port were unknown. Systems with 127.0.0.1 alone (macOS)
    give the port's 15 bits."""
    host = f"127.{secrets.randbelow(256)}.{secrets.randbelow(256)}.{1 + secrets.randbelow(254)}"
    for one in (host, LOCALHOST):
        for _ in range(TRIES):
            address = Address(one, FIRST_PORT + secrets.randbelow(2**16 - FIRST_PORT))
            if address.is_free:
                return address
    raise UserError(f"no free port at {LOCALHOST}")
