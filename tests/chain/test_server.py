"""The socket that the server listens at."""

from __future__ import annotations

import socket
from pathlib import Path

from chainboard.server import _bound
from chainboard.settings import Settings


def test_no_answer_is_held_back_for_more_to_come(tmp_path: Path) -> None:
    """Each would wait for the acknowledgement of its own head: 40 ms, a hundred times what it takes."""
    with _bound(Settings(tmp_path, port=0)) as bound, socket.create_connection(bound.getsockname()):
        connection, _address = bound.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
