"""Tests of the socket between a gateway and a sponsor on the same machine."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import orjson
import pytest

from sponsor.channel import serving
from sponsor.messages import Sponsored, SponsorStatus


class IdleSponsor:
    """A `SponsorService` that never pays."""

    def status(self) -> SponsorStatus:
        return SponsorStatus()

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        raise NotImplementedError


def test_channel_closes_quietly_while_a_gateway_is_connected(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The test cancels the sponsor's tasks, which Ctrl-C also does."""
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
