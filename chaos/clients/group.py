"""A group of websocket clients that watch matches, disconnect and reconnect. At the end of a
scenario, their boards are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from aiohttp import ClientSession

from chaos.clients.websocket_client import ClientMatch, WatchingClient
from indexer.model import Json

MATCHES_PER_CLIENT = 3
MAX_LOOKAHEAD = 4
"""Clients also watch matches that don't exist yet. Their numbers exceed the newest match's number
by at most this value."""


class ClientGroup:
    """All clients of a scenario. They watch matches on the tested server."""

    def __init__(self, session: ClientSession, url: str) -> None:
        self._session, self._url = session, url
        self.clients: list[WatchingClient] = []

    def join(self, random: Random, games: Sequence[str], newest: int) -> None:
        """Add a client that watches a few matches: some of the newest, or the next that will be
        opened."""
        names = {
            f"{random.choice(games)}/{random.randint(max(1, newest - 3), newest + MAX_LOOKAHEAD)}"
            for _ in range(MATCHES_PER_CLIENT)
        }
        client = WatchingClient(self._session, self._url, sorted(names), f"client {len(self.clients) + 1}")
        self.clients.append(client)
        client.start()

    async def leave(self, random: Random) -> None:
        started = [client for client in self.clients if client.is_started]
        if len(started) > 1:
            await random.choice(started).stop()

    def reconnect(self, random: Random) -> bool:
        """Reconnect a random disconnected client. The client then requests the events that it
        missed. Return False if no client was disconnected."""
        stopped = [client for client in self.clients if not client.is_started]
        if stopped:
            random.choice(stopped).start()
        return bool(stopped)

    def reconnect_all(self) -> None:
        for client in self.clients:
            if not client.is_started:
                client.start()

    async def stop(self) -> None:
        for client in self.clients:
            await client.stop()

    @property
    def watched(self) -> set[str]:
        """The names of all matches that a client watches, including those that don't exist yet."""
        return {match for client in self.clients for match in client.matches}

    def violations(self, boards: Mapping[str, Json], events: Mapping[str, Sequence[tuple[int, str]]]) -> list[str]:
        """Return one sentence per broken rule that a client has noticed, and per error in the
        clients' boards.

        `boards` contains the server's boards. `events` contains the (seq, block hash) of all events
        on the canonical chain. The keys of both are the matches' names."""
        found = [sentence for client in self.clients for sentence in client.violations]
        for client in self.clients:
            if not client.connected:
                found.append(f"{client.name} is not connected")
            for match, client_match in client.matches.items():
                found += [
                    f"{client.name}: {match}: {why}"
                    for why in _differences(client_match, boards.get(match), events.get(match, ()))
                ]
        return found


def _differences(client_match: ClientMatch, board: Json | None, events: Sequence[tuple[int, str]]) -> list[str]:
    if board is None:
        return [] if client_match.seq == 0 else [f"has event {client_match.seq} of a match that does not exist"]
    if not client_match.events:
        return ["has no board"]
    first = client_match.events[0][0]
    wanted = [one for one in events if one[0] >= max(first, 1)]
    had = [one for one in client_match.events if one[0] > 0]
    wrong = []
    if had != wanted:
        wrong.append(
            f"received {had[-6:]} since its last reset at seq {first} (resets: {client_match.resets}), "
            f"but the canonical events are {wanted[-6:]}"
        )
    if client_match.board != board:
        wrong.append(f"its board at seq {client_match.seq} differs from the server's")
    return wrong
