"""Clients that overload a server. Each kind of attack has its own process and network address.

The clients run on the same machine as the server, but the benchmark must measure the server's
defence, not competition for the processor. The clients therefore have the lowest priority and pause
between requests.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from typing import Any

from websockets.frames import Frame, Opcode

SPAWN = multiprocessing.get_context("spawn")
NICE = 19
HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
INCOMPLETE, NON_READING, CONCURRENT_ESTIMATES = 1500, 90, 60
WATCHES_PER_SOCKET = 30
PAUSE_SECONDS = 0.05
AttackTarget = dict[str, Any]
"""The data for the attackers: the server's port, the attacker's address, a match with a large
board, an expensive call, and signed transactions."""


def open_connection(target: AttackTarget, sent: bytes = b"") -> socket.socket:
    it = socket.socket()
    it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    it.settimeout(5)
    it.bind((target["address"], 0))
    it.connect(("127.0.0.1", target["port"]))
    it.sendall(sent)
    return it


def unread_websocket(target: AttackTarget) -> socket.socket:
    """Open a websocket that requests many boards and reads none of them."""
    it = open_connection(target, HANDSHAKE.format(port=target["port"]).encode())
    it.recv(1024)
    text = json.dumps({"t": "watch", "match": target["match"]}).encode()
    it.sendall(WATCHES_PER_SOCKET * Frame(Opcode.TEXT, text).serialize(mask=True))
    return it


def disconnecting(target: AttackTarget) -> None:
    """Request boards, read nothing and disconnect, again and again."""
    while True:
        with contextlib.suppress(OSError):
            it = unread_websocket(target)
            it.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            it.close()
        time.sleep(PAUSE_SECONDS)


def non_reading(target: AttackTarget) -> None:
    """Request boards and read nothing. Reconnect when the server disconnects."""
    _keep_open([None] * NON_READING, lambda: unread_websocket(target))


def incomplete(target: AttackTarget) -> None:
    """Send half a request and wait. Reconnect when the server disconnects."""
    _keep_open([None] * INCOMPLETE, lambda: open_connection(target, b"GET /api/hea"))


def _keep_open(sockets: list[socket.socket | None], make: Callable[[], socket.socket]) -> None:
    for at in itertools.cycle(range(len(sockets))):
        it = sockets[at]
        with contextlib.suppress(OSError):
            if it is None or _is_closed(it):
                sockets[at] = None
                sockets[at] = make()
        time.sleep(PAUSE_SECONDS / 10)


def _is_closed(it: socket.socket) -> bool:
    it.setblocking(False)
    try:
        return it.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False


def expensive_calls(target: AttackTarget) -> None:
    """Send expensive calls, many at a time."""
    body = _call("eth_estimateGas", target["call"], "pending")
    threads = [
        threading.Thread(target=_post_all, args=(target, itertools.repeat(body))) for _ in range(CONCURRENT_ESTIMATES)
    ]
    for thread in threads:
        thread.start()


def fee_histories(target: AttackTarget) -> None:
    """Request large fee histories. Some have the maximum size that the server accepts. Others have
    the maximum size that earlier versions accepted."""
    batches = [
        json.dumps([json.loads(_call("eth_feeHistory", hex(blocks), "latest", [50] * 100))] * 20)
        for blocks in (1024, 50)
    ]
    _post_all(target, itertools.cycle(batches))


def nonce_gaps(target: AttackTarget) -> None:
    """Send signed transactions that can never be mined."""
    _post_all(target, itertools.cycle(_call("eth_sendRawTransaction", raw) for raw in target["gapped"]))


def flood(target: AttackTarget) -> None:
    """Send the prepared transactions once each. All of them can be mined."""
    _post_all(target, iter([_call("eth_sendRawTransaction", raw) for raw in target["flood"]]))


def _call(method: str, *params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)})


def _post_all(target: AttackTarget, bodies: Iterator[str]) -> None:
    """Post the bodies one after another, and ignore the answers. If a request fails, open a new
    connection for the next body."""
    link: HTTPConnection | None = None
    for body in bodies:
        try:
            link = link or HTTPConnection("127.0.0.1", target["port"], 30, source_address=(target["address"], 0))
            link.request("POST", "/api/rpc", body, {"content-type": "application/json"})
            link.getresponse().read()
        except (OSError, HTTPException):
            link = None
        time.sleep(PAUSE_SECONDS / 10)


KINDS: tuple[Callable[[AttackTarget], None], ...] = (
    disconnecting,
    non_reading,
    incomplete,
    expensive_calls,
    fee_histories,
    nonce_gaps,
    flood,
)


def _run(kind: Callable[[AttackTarget], None], target: AttackTarget) -> None:
    os.nice(NICE)
    kind(target)


@contextlib.contextmanager
def attacking(kinds: tuple[Callable[[AttackTarget], None], ...], target: AttackTarget) -> Iterator[None]:
    """Run each of these attacks in its own process during the `with` block."""
    processes = []
    for kind in kinds:
        own = {**target, "address": f"127.0.0.{10 + KINDS.index(kind)}"}
        processes.append(SPAWN.Process(target=_run, args=(kind, own), daemon=True))
        processes[-1].start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()
