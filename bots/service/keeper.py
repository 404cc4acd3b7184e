"""The keeper. When a player's clock has run out, anyone may claim the timeout, and the keeper
claims it. The keeper also calls actions that are overdue although no clock has run out
(`Game.due`).

The keeper works with one gateway, which it hardly has to trust. The gateway reports the address and
arguments of a claim. However, the keeper simulates each claim before it sends it. A claim carries
no ether, and its gas limit comes from our own game."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from bots.service.gateway import Gateway, GatewayError
from contracts.abi import encode_call
from contracts.rpc_errors import NoResponse, RpcError
from indexer.gamekit.game import Game, no_action
from indexer.gamekit.names import BadName, parse_match
from indexer.model import Json, match_name
from indexer.sanitize import printable, shortened
from indexer.wakeup import Wakeup
from transactions.journal import JournalError
from transactions.manager import TransactionManager

log = logging.getLogger("chainboard.bots")

POLL_SECONDS = 1.0
"""The minimum number of seconds between two checks if no block arrives."""
SCAN_SECONDS = 60.0
"""The seconds between two scans of all matches in progress. A scan finds matches that the keeper
has missed because of a reorg, a restart or a full page."""
JITTER_SECONDS = 2.0
"""The maximum random delay between a deadline and the claim, in seconds. Because of this delay, the
keepers of several operators rarely send the same claim."""
PATIENCE_SECONDS = 3.0
"""An extra delay, in seconds, for overdue actions that depend on no clock. It allows the players'
pages to call these actions first."""
MAX_MATCHES, MAX_STARTS, MAX_REFRESHES = 10_000, 1_000, 200
"""Three limits: the number of newest matches per game that a scan reads, and the numbers of events
and of boards that one check reads."""
MAX_GATEWAY_PAUSE, MAX_CLAIM_PAUSE = 15.0, 300.0
UNAVAILABLE = (GatewayError, NoResponse, RpcError, JournalError)
LATEST: Json = {"jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByNumber", "params": ["latest", False]}


@dataclass(slots=True)
class _Watched:
    """A match in progress that the keeper watches. `version` is the number and block of its last
    event. `deadline` is in seconds since 1970, or 0 if there is none. `due_after` is the height
    after which an action without a clock is due, or None if there is no such action. `tries` counts
    the claims so far, and `not_before` is the monotonic time of the next claim."""

    version: tuple[int, str]
    deadline: int
    due_after: int | None
    tries: int = 0
    not_before: float | None = None


class Keeper:
    """Claims timeouts and calls overdue actions. `manager` signs for the keeper's account.
    `has_funds` tops up the account, or returns False if the account can't pay now. `jitter` is the
    maximum random delay of a claim, and `patience` is the extra delay of actions without a clock,
    in seconds. `allowed` contains the contracts that the keeper may call. If it is None, the keeper
    may call all contracts that the gateway names."""

    def __init__(
        self,
        gateway: Gateway,
        manager: TransactionManager,
        games: Mapping[str, Game],
        has_funds: Callable[[], Awaitable[bool]],
        jitter: float = JITTER_SECONDS,
        allowed: Collection[str] | None = None,
        now: Callable[[], float] = time.time,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._gateway, self._manager, self._games = gateway, manager, games
        self._has_funds, self._jitter, self._allowed, self._now = has_funds, jitter, allowed, now
        self._patience = patience
        self._abis: dict[str, list[Json]] = {}
        self._watched: dict[str, _Watched] = {}
        self._queue: dict[str, None] = {}
        self._next_block = 0
        self._next_moves: dict[str, int] = {}
        self._next_scan = 0.0
        self._checked = ""

    async def run(self, heads: Wakeup) -> None:
        """Check watched matches regularly until cancelled. `heads` is notified at each new
        block."""
        failures = 0
        while True:
            try:
                await self.step()
            except Exception as error:  # a faulty gateway must not stop the loop
                if not failures:
                    log.warning("the keeper is paused: %s", _describe(error))
                failures += 1
            else:
                if failures:
                    log.info("the keeper continues")
                failures = 0
            if failures:
                await asyncio.sleep(_pause(failures, MAX_GATEWAY_PAUSE))
            else:
                await heads.wait(self._seconds_to_next())

    def _seconds_to_next(self) -> float:
        """Return the number of seconds until the next scan or the next possible claim, whichever is
        earlier."""
        if self._queue:
            return 0
        now, clock = self._now(), time.monotonic()
        waits = [self._next_scan - clock]
        for watched in self._watched.values():
            if watched.not_before is not None:
                waits.append(watched.not_before - clock)
            elif watched.deadline:
                waits.append(watched.deadline - now)
        return max(min(waits), POLL_SECONDS)

    async def step(self) -> None:
        """Find new and changed matches. Send all due claims. Raises the errors in UNAVAILABLE."""
        if time.monotonic() >= self._next_scan:
            await self._scan()
            self._next_scan = time.monotonic() + SCAN_SECONDS
        await self._find_started()
        await self._find_moved()
        for name in [*islice(self._queue, MAX_REFRESHES)]:
            del self._queue[name]  # a match that always fails must not block the others; the next scan finds it again
            await self._skip_on_error(name, self._refresh(name))
        head = await self._head()
        if head["hash"] != self._checked:
            await self._manager.check()  # a reorg can have undone a claim
            self._checked = head["hash"]
        now, height = max(int(self._now()), int(head["timestamp"], 16)), int(head["number"], 16)
        for name, watched in [*self._watched.items()]:
            if self._is_due(watched, now, height):
                await self._skip_on_error(name, self._claim(name, now, height))

    # ---- find matches

    async def _scan(self) -> None:
        games = {game["slug"]: game for game in (await self._gateway.get("/games"))["games"]}
        self._abis = {slug: games[slug]["abi"] for slug in self._games if slug in games and games[slug]["abi"]}
        self._next_block = ((await self._gateway.get("/health"))["indexedHead"] or 0) + 1
        self._next_moves = {slug: self._next_block for slug in self._abis if self._games[slug].due is not no_action}
        listed = set()
        for slug in self._abis:
            rows = self._gateway.pages("/matches", "matches", MAX_MATCHES, game=slug, status="playing")
            async for row in rows:
                name, version = row["match"], (row["seq"], row["block"]["hash"])
                listed.add(name)
                if name not in self._watched or self._watched[name].version != version:
                    self._enqueue(name)
        self._watched = {name: watched for name, watched in self._watched.items() if name in listed}

    async def _find_started(self) -> None:
        """Queue the matches that have started since the last check. Each is read once. After that,
        a match is read again only when its deadline has passed."""
        starts = self._gateway.pages("/events", "events", MAX_STARTS, name="MatchStarted", from_block=self._next_block)
        async for event in starts:
            self._next_block = event["block"] + 1
            self._enqueue(event["match"])

    async def _find_moved(self) -> None:
        """Queue changed matches in games with overdue actions that depend on no clock."""
        for slug in {name.partition("/")[0] for name in self._watched} & {*self._next_moves}:
            first = self._next_moves[slug]
            async for event in self._gateway.pages("/events", "events", MAX_STARTS, game=slug, from_block=first):
                self._next_moves[slug] = event["block"] + 1
                self._enqueue(event["match"])

    def _enqueue(self, name: str) -> None:
        if name.partition("/")[0] in self._abis and len(self._queue) < MAX_MATCHES:
            self._queue[name] = None

    async def _refresh(self, name: str) -> Json | None:
        """Read a match from the gateway and start to watch it. Return the match, or None if it
        isn't in progress."""
        found = await self._gateway.get(f"/matches/{name}")
        if found["board"]["status"] != "playing":
            self._watched.pop(name, None)
            return None
        version = (found["seq"], found["block"]["hash"])
        if name not in self._watched or self._watched[name].version != version:
            deadline = int(found["board"].get("deadline", 0))
            self._watched[name] = _Watched(version, deadline, self._due_after(name, found["board"]))
        return found

    def _due_after(self, name: str, board: Json) -> int | None:
        game, _ = parse_match(self._games, name)
        if game.due(board) is None:
            return None
        passed = game.waits_for_block_after(board)
        return 0 if passed is None else passed

    # ---- claim

    async def _head(self) -> Json:
        """Return the node's newest block. On a chain that mines only when needed, this block can be
        old. In that case, the keeper claims by this machine's clock, and the simulation shows
        whether the claim would succeed."""
        found = await self._gateway.post("/rpc", LATEST)
        if "result" not in found:
            raise GatewayError(found["error"]["message"])
        head: Json = found["result"]
        return head

    def _is_due(self, watched: _Watched, now: int, height: int) -> bool:
        has_run_out = 0 < watched.deadline <= now
        if not has_run_out and (watched.due_after is None or height <= watched.due_after):
            return False
        if watched.not_before is None:
            patience = 0.0 if has_run_out else self._patience
            watched.not_before = time.monotonic() + patience + random.uniform(0, self._jitter)
        return time.monotonic() >= watched.not_before

    async def _claim(self, name: str, now: int, height: int) -> None:
        """Send the claim. Don't send it if the match has changed or ended, the account can't pay,
        or the simulation fails. After each attempt, the pause before the next attempt gets
        longer."""
        found = await self._refresh(name)
        if found is None or not self._is_due(watched := self._watched[name], now, height):
            return
        watched.tries += 1
        watched.not_before = time.monotonic() + _pause(watched.tries, MAX_CLAIM_PAUSE)
        game, number = parse_match(self._games, name)
        action = game.overdue(found["board"], now) or game.due(found["board"])
        if action is None or (self._allowed is not None and found["address"] not in self._allowed):
            return
        if not await self._has_funds():
            return
        tx = await self._manager.submit(
            found["address"],
            encode_call(self._abis[game.slug], action, (number,)),
            gas_cap=next(one for one in game.actions if one.name == action).gas_limit(found["board"]),
            key=_key(game, number, found, action),
        )
        if tx.state in ("refused", "failed"):
            result = "was rejected" if tx.state == "refused" else "failed"
            log.info("%s: %s %s: %s", name, action, result, shortened(printable(tx.reason)))
        else:
            log.info("%s: keeper sent %s", name, action)

    async def _skip_on_error(self, name: str, job: Awaitable[object]) -> None:
        """Run a job that concerns one match. If the match can't be read, for example because the
        gateway has a different version of the game, skip it until the next scan. Other matches
        still get their claims. Raises the errors in UNAVAILABLE unless they concern only this
        match."""
        try:
            await job
        except Exception as error:
            if isinstance(error, UNAVAILABLE) and getattr(error, "status", 0) == 0:
                raise
            self._watched.pop(name, None)
            if getattr(error, "status", 0) != 404:  # status 404: a reorg has removed the match
                log.warning("skipping %s: %s", shortened(printable(name)), _describe(error))


def _key(game: Game, number: int, found: Json, action: str) -> str:
    """Return the journal key of a call, which the transaction manager sends only once per key. The
    key of an action without a clock includes the block that it waits for. After a reorg, this
    action can become due again at the same event."""
    key, board = f"keeper:{match_name(game.slug, number)}:{found['seq']}", found["board"]
    return key if action != game.due(board) else f"{key}:{action}:{game.waits_for_block_after(board)}"


def _pause(tries: int, maximum: float) -> float:
    """Return the seconds to wait before the next try: two after the first try, and twice as many
    after each further try, but at most `maximum`."""
    return min(POLL_SECONDS * 2.0 ** min(tries, 10), maximum)


def _describe(error: Exception) -> str:
    message = str(error) if isinstance(error, (*UNAVAILABLE, BadName)) else f"{type(error).__name__}: {error}"
    return shortened(printable(message))
