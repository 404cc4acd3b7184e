"""The keeper: claims what anybody may claim in a match whose clock has run out, whoever is at fault, and calls what a
match waits for when nobody who plays it does (`Game.due`).

It asks one gateway and believes little of it: where a claim goes and what it names the gateway tells, but each is
simulated before it is sent, carries no value, and has the gas limit of our own game.
"""

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
from indexer.gamekit.game import Game, nothing
from indexer.gamekit.names import BadName, parse_match
from indexer.model import Json, match_name
from indexer.sanitize import printable, shortened
from indexer.wakeup import Wakeup
from transactions.journal import JournalError
from transactions.manager import TransactionManager

log = logging.getLogger("chainboard.bots")

POLL_SECONDS = 1.0
"""At least so long lies between two looks without a new block."""
SCAN_SECONDS = 60.0
"""Between two looks at all matches: what a reorg, a restart or a full page has hidden is late by so much at most."""
JITTER_SECONDS = 2.0
"""Within these, by lot, a claim follows its deadline: so keepers of several operators rarely collide."""
PATIENCE_SECONDS = 3.0
"""So much longer waits what is due without a clock: first comes who plays, whose page calls it by itself."""
MAX_MATCHES, MAX_STARTS, MAX_LOOKS = 10_000, 1_000, 200
"""Matches of a game in a scan (the newest), starts in a step, and boards that are looked at in one step."""
MAX_GATEWAY_PAUSE, MAX_CLAIM_PAUSE = 15.0, 300.0
UNAVAILABLE = (GatewayError, NoResponse, RpcError, JournalError)
LATEST: Json = {"jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByNumber", "params": ["latest", False]}


@dataclass(slots=True)
class _Watched:
    """A match that is played. `version`: its last event's number and block; `deadline`: seconds since 1970, 0: none;
    `due_after`: the height behind which something is due without a clock, None: nothing. `tries`: claims so far, the
    next one `not_before` this monotonic time."""

    version: tuple[int, str]
    deadline: int
    due_after: int | None
    tries: int = 0
    not_before: float | None = None


class Keeper:
    """`manager` signs for the keeper's account, which `has_funds` fills, or says that it can't pay now. `jitter` and
    `patience` in seconds; `allowed`: the contracts that it may call (None: those that the gateway names)."""

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
        self._unseen: dict[str, None] = {}
        self._next_block = 0
        self._next_moves: dict[str, int] = {}
        self._next_scan = 0.0
        self._checked = ""

    async def run(self, heads: Wakeup) -> None:
        """Keeps the clocks until cancelled. `heads` wakes it at each new block."""
        failures = 0
        while True:
            try:
                await self.step()
            except Exception as error:  # a strange gateway must not end it
                if not failures:
                    log.warning("the keeper waits: %s", _in_words(error))
                failures += 1
            else:
                if failures:
                    log.info("the keeper goes on")
                failures = 0
            if failures:
                await asyncio.sleep(_pause(failures, MAX_GATEWAY_PAUSE))
            else:
                await heads.wait(self._seconds())

    def _seconds(self) -> float:
        """Until something is due without a new block, or all matches are looked at again."""
        if self._unseen:
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
        """Looks for matches, and claims what is due. Raises what UNAVAILABLE has."""
        if time.monotonic() >= self._next_scan:
            await self._scan()
            self._next_scan = time.monotonic() + SCAN_SECONDS
        await self._find_started()
        await self._find_moved()
        for name in [*islice(self._unseen, MAX_LOOKS)]:
            del self._unseen[name]  # one that fails each time must not be the first again: a scan finds it
            await self._without_trouble(name, self._look(name))
        head = await self._head()
        if head["hash"] != self._checked:
            await self._manager.check()  # a reorg may have taken a claim back
            self._checked = head["hash"]
        now, height = max(int(self._now()), int(head["timestamp"], 16)), int(head["number"], 16)
        for name, watched in [*self._watched.items()]:
            if self._is_due(watched, now, height):
                await self._without_trouble(name, self._claim(name, now, height))

    # ---- which matches there are

    async def _scan(self) -> None:
        games = {game["slug"]: game for game in (await self._gateway.get("/games"))["games"]}
        self._abis = {slug: games[slug]["abi"] for slug in self._games if slug in games and games[slug]["abi"]}
        self._next_block = ((await self._gateway.get("/health"))["indexedHead"] or 0) + 1
        self._next_moves = {slug: self._next_block for slug in self._abis if self._games[slug].due is not nothing}
        listed = set()
        for slug in self._abis:
            rows = self._gateway.pages("/matches", "matches", MAX_MATCHES, game=slug, status="playing")
            async for row in rows:
                name, version = row["match"], (row["seq"], row["block"]["hash"])
                listed.add(name)
                if name not in self._watched or self._watched[name].version != version:
                    self._notice(name)
        self._watched = {name: watched for name, watched in self._watched.items() if name in listed}

    async def _find_started(self) -> None:
        """Those that have been started since the last look. One that moves on is looked at when its deadline has
        passed."""
        starts = self._gateway.pages("/events", "events", MAX_STARTS, name="MatchStarted", from_block=self._next_block)
        async for event in starts:
            self._next_block = event["block"] + 1
            self._notice(event["match"])

    async def _find_moved(self) -> None:
        """Those of games in which something may be due without a clock, wherever anything has happened."""
        for slug in {name.partition("/")[0] for name in self._watched} & {*self._next_moves}:
            first = self._next_moves[slug]
            async for event in self._gateway.pages("/events", "events", MAX_STARTS, game=slug, from_block=first):
                self._next_moves[slug] = event["block"] + 1
                self._notice(event["match"])

    def _notice(self, name: str) -> None:
        if name.partition("/")[0] in self._abis and len(self._unseen) < MAX_MATCHES:
            self._unseen[name] = None

    async def _look(self, name: str) -> Json | None:
        """The match as it is now, if it is played: then it is watched."""
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

    # ---- what is due

    async def _head(self) -> Json:
        """The newest block. Of a chain that mines on need it may be old: then the clock on the wall counts, and the
        simulation decides."""
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
        """Sends the claim, or nothing: where the match has moved on or ended, without funds, and where its simulation
        is refused. Whatever comes of it, the next look is later."""
        found = await self._look(name)
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
            log.info("%s: %s was %s: %s", name, action, tx.state, shortened(printable(tx.reason)))
        else:
            log.info("%s: the keeper has sent %s", name, action)

    async def _without_trouble(self, name: str, job: Awaitable[object]) -> None:
        """A match that can't be read, of another version's game maybe, keeps no other one from its claim: it is left
        alone until the next scan. Raises what UNAVAILABLE has where it is no single match's."""
        try:
            await job
        except Exception as error:
            if isinstance(error, UNAVAILABLE) and getattr(error, "status", 0) == 0:
                raise
            self._watched.pop(name, None)
            if getattr(error, "status", 0) != 404:  # a reorg has taken it
                log.warning("%s is left alone: %s", shortened(printable(name)), _in_words(error))


def _key(game: Game, number: int, found: Json, action: str) -> str:
    """Of a call that is made once. What is due without a clock may be due again at the same event, after a reorg."""
    key, board = f"keeper:{match_name(game.slug, number)}:{found['seq']}", found["board"]
    return key if action != game.due(board) else f"{key}:{action}:{game.waits_for_block_after(board)}"


def _pause(tries: int, most: float) -> float:
    """Seconds: a second, then doubled each time."""
    return min(POLL_SECONDS * 2.0 ** min(tries, 10), most)


def _in_words(error: Exception) -> str:
    message = str(error) if isinstance(error, (*UNAVAILABLE, BadName)) else f"{type(error).__name__}: {error}"
    return shortened(printable(message))
