"""A spectator who uses the page's own modules without a browser. The spectator's websocket can lose
messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.api.playground import ApiServer
from tests.support.waiting import wait_for_async
from tests.system.incidents.support.harness import MATCH_NAME, IncidentTestbed, serve_live
from tests.system.incidents.support.lossy_socket import LossySocket, lossy_socket
from tests.system.incidents.support.node_page import Tab, open_tab


class Spectator:
    """A spectator of match 2, who uses the page's own modules."""

    def __init__(self, testbed: IncidentTestbed, server: ApiServer, socket: LossySocket, tab: Tab) -> None:
        self.testbed, self.server, self.socket, self.tab = testbed, server, socket, tab

    async def board(self) -> Any:
        return (await self.tab.run("boards"))[MATCH_NAME]

    async def check_boards(self) -> None:
        """Wait until the tab shows the server's newest board. Check that the tab has received each
        event once, and that each board that it has had equals the server's."""
        served = (await self.server.http.get(f"/api/matches/{MATCH_NAME}")).json()
        shown = await wait_for_async(
            self.board, lambda shown: shown is not None and shown["seq"] == served["seq"], "the server's board"
        )
        assert (shown["hash"], shown["at"]) == (served["hash"], served["block"]["hash"])
        seqs = [seq for seq, _hash in shown["held"]]
        assert seqs == list(range(seqs[0], served["seq"] + 1))
        for seq, hash in shown["held"]:
            assert (await self.server.http.get(f"/api/matches/{MATCH_NAME}?seq={seq}")).json()["hash"] == hash, seq

    async def message_kinds(self) -> list[str]:
        return [kind for _match, kind, _seq in (await self.tab.run("history"))["boards"]]

    async def play(self) -> None:
        await self.testbed.play()
        await self.testbed.wait_until_followed()


@asynccontextmanager
async def spectating(testbed: IncidentTestbed, page: Path, watch: bool = True) -> AsyncIterator[Spectator]:
    async with serve_live(testbed, page) as server, lossy_socket(server.port) as (socket, url), open_tab() as it:
        await testbed.wait_until_followed()
        spectator = Spectator(testbed, server, socket, it)
        await it.run("connect", url=url)
        if watch:
            await it.run("watch", match=MATCH_NAME)
            await spectator.check_boards()
        yield spectator
