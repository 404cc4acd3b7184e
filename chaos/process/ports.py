"""Reserves a port for a process that the kit will start or restart."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """Reserve a port on 127.0.0.1, and return it.

    This process binds a socket to the port but never listens on it. On Linux, the system doesn't
    give this port to programs that ask for any free port. A server that asks for this port can
    still listen on it (socket(7), SO_REUSEADDR). On other systems, the port is free but not
    reserved."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port = int(holder.getsockname()[1])
        if sys.platform != "linux":
            holder.close()
        yield port
