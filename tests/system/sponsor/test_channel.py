"""Tests of the socket through which a gateway and a sponsor on the same machine communicate."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import orjson
import pytest

from sponsor.channel import serving
from sponsor.messages import Sponsored, SponsorStatus


class IdleSponsor:
    """A `SponsorService` that pays nobody."""

    def status(self) -> SponsorStatus:
        return SponsorStatus()

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        raise NotImplementedError


def test_channel_closes_quietly_while_a_gateway_is_connected(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Tests that the sponsor's end of the socket closes without errors while a gateway is
    connected. The test cancels the sponsor's task, as Ctrl-C does."""
    ended = []

    async def until_cancelled() -> None:
        async with serving(IdleSponsor(), tmp_path / "socket"):
            reader, writer = await asyncio.open_unix_connection(tmp_path / "socket")
            assert "status" in orjson.loads(await reader.readline())
            asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)  # type: ignore[union-attr]
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(writer)
                writer.close()

    with suppress(asyncio.CancelledError):
        asyncio.run(until_cancelled())
    assert ended
    assert not caplog.records
