"""Runs many clients that watch matches. The clients need little processor time, because they are
raw sockets that only count messages. They run in separate processes."""

from __future__ import annotations

import multiprocessing
import resource
import select
import socket
import sys
import time
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple

SPAWN = multiprocessing.get_context("spawn")
WATCH = '{"t":"watch","match":"%s"}'
TEXT, PING, PONG = 1, 9, 10
SEQ = b'"seq":'
CONNECTED = 50
"""The number of clients that connect before the process reads the earlier clients' messages
again."""
NO_MASK = bytes(4)
"""A websocket mask of zeros. Clients must mask their messages, and this mask leaves them
unchanged."""


class Received(NamedTuple):
    """Everything that the clients of one process received.

    - `seqs`, `times`: the number of the last event in each message, and the time of the message's
      arrival, in seconds of the monotonic clock.
    - `wrong`: the number of messages that showed that an event was missing or duplicated.
    - `ended`: the number of closed sockets.
    - `bytes`: the total size of the messages."""

    seqs: array[int]
    times: array[float]
    wrong: int
    ended: int
    bytes: int


class Spectator:
    """A client's socket, the bytes of an incomplete message, and the number of the last event that
    the client received."""

    __slots__ = ("rest", "seq", "socket")

    def __init__(self, port: int, match: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.rest, self.seq = b"", -1
        self.socket.sendall(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n" % port
        )
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert b" 101 " in head, head
        self.send(TEXT, (WATCH % match).encode())
        self.socket.setblocking(False)

    def send(self, kind: int, payload: bytes) -> None:
        self.socket.send(bytes([0x80 | kind, 0x80 | len(payload)]) + NO_MASK + payload)

    def texts(self, data: bytes) -> Iterator[bytes]:
        """Yield the text messages that these bytes complete, and answer pings."""
        data = self.rest + data if self.rest else data
        at, end = 0, len(data)
        while (begin := at + 2) <= end:
            size = data[at + 1]
            if size > 125:
                wide = 2 if size == 126 else 8
                begin += wide
                size = int.from_bytes(data[at + 2 : begin]) if begin <= end else end
            if begin + size > end:
                break
            if data[at] == 0x80 | TEXT:
                yield data[begin : begin + size]
            elif data[at] == 0x80 | PING:
                self.send(PONG, data[begin : begin + size])
            at = begin + size
        self.rest = data[at:]


class Crowd:
    """All clients in one process, and everything that they received.

    Each client watches one match, and all matches have about the same number of clients. If there
    are several matches, each block must contain exactly one event in every match."""

    def __init__(self, port: int, matches: Sequence[str], number: int) -> None:
        self._clients: dict[int, Spectator] = {}
        self._epoll = select.epoll()
        self._number = number
        self._have: Counter[int] = Counter()
        self._seqs, self._times = array("I"), array("d")
        self._wrong = self._ended = self._bytes = 0
        for one in range(number):
            if one % CONNECTED == 0:  # answer the server's pings; otherwise, it disconnects the earlier clients
                for file, _what in self._epoll.poll(0):
                    assert not list(self._read(self._clients[file]))
            client = Spectator(port, matches[one % len(matches)])
            self._clients[client.socket.fileno()] = client
            self._epoll.register(client.socket.fileno(), select.EPOLLIN)

    def run(self, pipe: Connection) -> None:
        """Report the progress of all clients through the pipe.

        When all clients have their first board, send the board's event number. After that, send the
        number of every event that all clients have received. Send the current time with each
        number. After a message from the pipe, send a `Received` and end."""
        self._epoll.register(pipe.fileno(), select.EPOLLIN)
        while True:
            for file, _what in self._epoll.poll():
                if file == pipe.fileno():
                    pipe.send(Received(self._seqs, self._times, self._wrong, self._ended, self._bytes))
                    return
                for whole in self._read(self._clients[file]):
                    pipe.send(whole)

    def _read(self, client: Spectator) -> Iterator[tuple[int, float]]:
        data = _received(client.socket)
        if not data:
            self._epoll.unregister(client.socket.fileno())
            self._ended += 1
        for text in client.texts(data):
            now = time.perf_counter()
            if text.startswith(b'{"t":"deltas"'):
                first, client.seq, before = _seq(text, text.find(SEQ)), _seq(text, text.rfind(SEQ)), client.seq
                self._wrong += first != before + 1
                self._seqs.append(client.seq)
                self._times.append(now)
                self._bytes += len(text)
            elif text.startswith(b'{"t":"reset"'):
                self._wrong += client.seq != -1
                client.seq = _seq(text, text.find(SEQ))
            else:
                continue
            self._have[client.seq] += 1
            if self._have[client.seq] == self._number:
                yield client.seq, now


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 18)
    except ConnectionError:
        return b""


def _seq(text: bytes, at: int) -> int:
    return int(text[at + len(SEQ) : text.index(b",", at)])


def _process(pipe: Connection, port: int, matches: Sequence[str], number: int) -> None:
    Crowd(port, matches, number).run(pipe)


@contextmanager
def crowd(port: int, matches: Sequence[str], number: int, processes: int = 2) -> Iterator[list[Connection]]:
    """Run clients that each watch one match. Yield one pipe for each process that runs clients."""
    ours, theirs = zip(*(SPAWN.Pipe() for _ in range(processes)), strict=True)
    each = number // processes
    children = [SPAWN.Process(target=_process, args=(pipe, port, matches, each), daemon=True) for pipe in theirs]
    for child in children:
        child.start()
    try:
        yield list(ours)
    finally:
        for child in children:
            child.kill()
            child.join()


def collect(pipe: Connection) -> Received:
    """End one of the processes that `crowd` started, and return everything that its clients
    received."""
    pipe.send(None)
    while not isinstance(received := pipe.recv(), Received):
        pass
    return received


def allow_files(number: int) -> None:
    """Raise the limit on open files for this process and its children. If that is impossible, exit
    with a message."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < number:
        sys.exit(f"This benchmark needs {number} open files, but the system allows only {hard} per process.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
