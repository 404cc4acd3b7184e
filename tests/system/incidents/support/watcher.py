"""A spectator who uses the page's own modules, on a line that can be disturbed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.api.playground import ApiServer
from tests.support.waiting import wait_for_async
from tests.system.incidents.support.harness import NAME, IncidentStage, served_live
from tests.system.incidents.support.lossy_socket import Line, line
from tests.system.incidents.support.node_page import Tab, tab


class Seat:
    """A spectator of match 2 who uses the page's modules."""

    def __init__(self, stage: IncidentStage, server: ApiServer, line: Line, tab: Tab) -> None:
        self.stage, self.server, self.line, self.tab = stage, server, line, tab

    async def board(self) -> Any:
        return (await self.tab.do("boards"))[NAME]

    async def agrees(self) -> None:
        """Wait until the tab has the server's board. The tab must then have received each event
        once."""
        told = (await self.server.http.get(f"/api/matches/{NAME}")).json()
        shown = await wait_for_async(
            self.board, lambda shown: shown is not None and shown["seq"] == told["seq"], "the server's board"
        )
        assert (shown["hash"], shown["at"]) == (told["hash"], told["block"]["hash"])
        seqs = [seq for seq, _hash in shown["held"]]
        assert seqs == list(range(seqs[0], told["seq"] + 1))
        for seq, hash in shown["held"]:
            assert (await self.server.http.get(f"/api/matches/{NAME}?seq={seq}")).json()["hash"] == hash, seq

    async def kinds(self) -> list[str]:
        return [kind for _match, kind, _seq in (await self.tab.do("shown"))["boards"]]

    async def play(self) -> None:
        await self.stage.play()
        await self.stage.until_followed()


@asynccontextmanager
async def seated(stage: IncidentStage, page: Path, watch: bool = True) -> AsyncIterator[Seat]:
    async with served_live(stage, page) as server, line(server.port) as (wire, url), tab() as it:
        await stage.until_followed()
        seat = Seat(stage, server, wire, it)
        await it.do("connect", url=url)
        if watch:
            await it.do("watch", match=NAME)
            await seat.agrees()
        yield seat
