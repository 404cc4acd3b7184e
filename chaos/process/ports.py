"""A reserved port for a process that is yet to start, or to start again."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of 127.0.0.1 that is reserved for who is given it.

    The socket here is bound and never listens. Linux then gives the port to nobody who asks for any, and lets a server
    that names it listen there (socket(7), SO_REUSEADDR). Elsewhere the port is free, and not reserved."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port = int(holder.getsockname()[1])
        if sys.platform != "linux":
            holder.close()
        yield port
