"""Tests that a command ends with an error in one sentence if the source of a manifest sends a bad
answer. The command uses little time and memory."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chainboard import foreign_manifest as source
from chainboard.data_folder import read_json
from chainboard.errors import UserError
from tests.support.waiting import PATIENCE_SECONDS, wait_for

DEEP = b'{"a":' + b"[" * 200_000
Handler = http.server.BaseHTTPRequestHandler
NOT_JSON = "contains no deployment, because it isn't (valid JSON|a JSON object)"


@contextlib.contextmanager
def answering(respond: Callable[[Handler], None]) -> Iterator[str]:
    class Responding(Handler):
        def do_GET(self) -> None:
            self.send_response(200)
            with contextlib.suppress(OSError):
                respond(self)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Responding)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/deployment.json"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    "address",
    ["http://[", "http://", "https://exa mple/", "http://a:99999/", "http://\x00/", "a\0b", "http://" + "a" * 70_000],
)
async def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UserError, match=r"returned no deployment|can't read"):
        await source.foreign_manifest(address)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("", "/api/deployment"),
        ("/", "/api/deployment"),
        ("/games/", "/games/api/deployment"),
        ("/our/manifest", "/our/manifest"),
    ],
)
async def test_a_gateway_may_be_below_a_path(address: str, asked: str) -> None:
    paths: list[str] = []

    def respond(handler: Handler) -> None:
        paths.append(handler.path)
        handler.end_headers()

    with answering(respond) as url, pytest.raises(UserError, match=NOT_JSON):
        await source.foreign_manifest(url.removesuffix("/deployment.json") + address)
    assert paths == [asked]


async def test_deeply_nested_json_in_a_file_is_refused(tmp_path: Path) -> None:
    """Tests that a file with deeply nested JSON is rejected. Otherwise, it would overflow the stack
    of a recursive parser and kill the process."""
    (tmp_path / "deep.json").write_bytes(DEEP)
    with pytest.raises(UserError, match=NOT_JSON):
        await source.foreign_manifest(str(tmp_path / "deep.json"))
    with pytest.raises(UserError, match="can't read"):
        read_json(tmp_path / "deep.json")


async def test_deeply_nested_json_from_a_server_is_refused() -> None:
    def respond(handler: Handler) -> None:
        handler.end_headers()
        handler.wfile.write(DEEP)

    with answering(respond) as url, pytest.raises(UserError, match=NOT_JSON):
        await source.foreign_manifest(url)


async def test_a_file_of_a_stranger_is_not_to_be_put_aside_by_reset(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("no json")
    with pytest.raises(UserError, match=NOT_JSON) as caught:
        await source.foreign_manifest(str(tmp_path / "x.json"))
    assert "reset" not in str(caught.value)


async def test_what_unpacks_to_more_is_refused() -> None:
    packed = gzip.compress(b" " * 2 * source.MAX_BYTES)

    def respond(handler: Handler) -> None:
        handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        handler.wfile.write(packed)

    with answering(respond) as url, pytest.raises(UserError, match="is compressed"):
        await source.foreign_manifest(url)


async def test_what_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    def respond(handler: Handler) -> None:
        handler.end_headers()
        while True:
            handler.wfile.write(b" " * 2**16)

    with answering(respond) as url:
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(UserError, match="contains no deployment, because it is larger than 5 MB"):
                await source.foreign_manifest(url)
    (tmp_path / "large.json").write_bytes(b" " * (source.MAX_BYTES + 1))
    with pytest.raises(UserError, match="contains no deployment, because it is larger than 5 MB"):
        await source.foreign_manifest(str(tmp_path / "large.json"))


async def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "SECONDS", 1.0)
    ended = threading.Event()

    def respond(handler: Handler) -> None:
        handler.end_headers()
        wait_for(lambda: handler.wfile.write(b" "), lambda _: ended.is_set(), "the end of the test")

    with answering(respond) as url:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                with pytest.raises(UserError, match="no deployment within 1 s"):
                    await source.foreign_manifest(url)
        finally:
            ended.set()
