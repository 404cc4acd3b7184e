"""Computer players in a scenario. The scenario's other players invite them or request them as
opponents. At the end, no other player may be waiting for a computer player's move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession
from eth_utils.address import to_checksum_address

from bots.opponent import Choice, invited, seat_of
from bots.registry import OPPONENTS
from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.chain_driver import polls, wait_until
from chaos.process.kill_points import KillPoints
from chaos.process.opponents import BotsProcess
from indexer.model import Event, Json
from transactions.journal import Journal

STARTUP_SECONDS, POLL_SECONDS, EXIT_SECONDS = 40.0, 0.1, 10.0
MAX_MATCHES = "50"
"""The maximum number of matches that the computer players play at the same time. No scenario has
this many matches, so the limit has no effect."""


class OpponentsMissing(Exception):
    """Raised if the computer players' process didn't start or restart in time."""


class ComputerPlayers:
    """The computer players, whose process the tested process starts. `accounts` maps each game to
    the accounts that are known so far."""

    def __init__(self, folder: Path, session: ClientSession, url: str) -> None:
        self._session, self._url = session, f"{url}/api/opponents"
        self.process = BotsProcess(folder)
        self.kill_points = KillPoints(self.process.phases_file)
        self.accounts: dict[str, list[str]] = {}
        self._names: dict[str, list[str]] = {}

    @property
    def addresses(self) -> set[str]:
        return {account for accounts in self.accounts.values() for account in accounts}

    async def wait(self) -> None:
        """Wait until the computer players' process is running. Raises OpponentsMissing if it
        doesn't start in time."""
        async for _ in polls(STARTUP_SECONDS, POLL_SECONDS):
            if await self._fetch_accounts():
                return
        raise OpponentsMissing(f"the opponents' process did not start within {STARTUP_SECONDS:.0f} seconds")

    async def _fetch_accounts(self) -> bool:
        try:
            async with self._session.get(self._url) as answer:
                found = (await answer.json())["opponents"]
        except (ClientError, OSError, TimeoutError, KeyError, ValueError):
            return False
        for one in found:
            known = self.accounts.setdefault(one["game"], [])
            known += [each["address"] for each in one["accounts"] if each["address"] not in known]
        self._names = {one["game"]: [other["name"] for other in found if other["game"] == one["game"]] for one in found}
        return bool(found)

    async def request_opponent(self, random: Random, matches: Sequence[str]) -> None:
        """Request a computer player for one of these matches, chosen at random. The server can
        reject the request."""
        possible = [match for match in matches if match.partition("/")[0] in self._names]
        if not possible:
            return
        match = random.choice(possible)
        body = {"match": match, "name": random.choice(self._names[match.partition("/")[0]])}
        try:
            async with self._session.post(self._url, json=body) as answer:
                await answer.read()
        except (ClientError, OSError, TimeoutError):
            return

    async def close(self) -> None:
        """Wait until the computer players' process has ended. It should end soon after the tested
        process. If it doesn't, kill it."""
        self.kill_points.close()
        await wait_until(lambda: not self.process.alive, EXIT_SECONDS, POLL_SECONDS)
        self.process.kill()

    def transaction_states(self, journal: Path) -> dict[str, int]:
        """Return the number of the computer players' transactions in each state."""
        if not journal.exists():
            return {}
        with closing(Journal(journal)) as opened:
            return opened.states()

    # ---- the checks at the end

    def owed_moves(self, boards: Mapping[str, Json]) -> list[str]:
        """Return one sentence for each move that a computer player still has to make on these
        boards."""
        found = []
        for match, board in boards.items():
            game = match.partition("/")[0]
            for account in self.accounts.get(game, ()):
                is_seated = account in board["players"] and bool(self._others(game, board))
                if is_seated or account in invited(board):
                    choice = _choice(game, board, account)
                    found += [f"{match}: the opponent owes {choice.action}"] if choice else []
        return found

    def _others(self, game: str, board: Json) -> list[str]:
        """Return the active players in a match who are not computer players. If there are none,
        nobody waits for the computer players' moves."""
        is_alive = OPPONENTS[game].is_alive
        return [one for one in board["players"] if one not in self.addresses and is_alive(board, one)]

    def repeated_moves(self, events: Mapping[str, Sequence[Event]]) -> list[str]:
        """Return one sentence per move that a computer player made twice in the same ply."""
        found = []
        for match, some in events.items():
            moves = [
                (one.name, one.args["ply"], mover)
                for one in some
                if "ply" in one.args and (mover := one.args.get("by", one.args.get("player"))) in self.addresses
            ]
            found += [f"{match}: {move} happened twice" for move in {*moves} if moves.count(move) > 1]
        return found

    async def pending_transactions(self, chain: AnvilChain) -> list[str]:
        """Return one sentence for each unmined transaction of a computer player."""
        pool: dict[str, dict[str, Any]] = await chain.request("txpool_content")
        return [
            f"{account}: nonce {nonce} is {state}"
            for state, accounts in pool.items()
            for account, some in accounts.items()
            for nonce in some
            if to_checksum_address(account) in self.addresses
        ]


def _choice(game: str, board: Json, account: str) -> Choice | None:
    """Return the action that the match expects from this computer player's account, or None. The
    computer player's strength doesn't matter for this.

    Ignore actions that computer players delay (`pauses`), because no other player waits for
    them."""
    opponents = OPPONENTS[game]
    choice = opponents.choose(board, seat_of(board, account), opponents.strengths[0], Random(0))
    return None if choice is None or choice.action in opponents.pauses else choice
