"""The routes that list the computer players and ask one of them to take a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from limits import RateLimitItemPerMinute
from starlette.concurrency import run_in_threadpool

from api.chain import body
from api.problems import Problem, Rejection
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import game_named
from api.rest.writes import client_of
from api.shapes.opponents import OpponentsShape, OpponentTakenShape, opponent
from bots.opponent import has_seat_for, invited
from bots.service.messages import ComputerPlayer, OpponentService, RequestRejected, ServiceStatus
from indexer.gamekit import names
from indexer.model import match_name

ALL_PER_MINUTE, CLIENT_PER_MINUTE = 120, 30
MAX_PENDING = 8
REQUEST_SECONDS = 20.0
STATUSES: Mapping[str, int] = {
    "unknown-opponent": 404,
    "seat-refused": 409,
    "opponents-busy": 503,
    "opponents-away": 503,
    "opponents-broke": 503,
}


class OpponentRoutes:
    """The routes at /opponents. Requests to play are limited per network address and in total."""

    def __init__(self, context: Context) -> None:
        self._context, self._service = context, context.opponents
        self._limiter, self._pending = context.limits.fixed_window(), 0
        self._all = RateLimitItemPerMinute(ALL_PER_MINUTE)
        self._per_client = RateLimitItemPerMinute(CLIENT_PER_MINUTE)

    async def all(self) -> Response:
        """Returns the computer players of each game, weakest first, with their names and accounts.
        To play against one of them, invite one of its accounts to a match. You can also open a
        match with a free seat and send it to `POST /opponents`. The list is empty if there are no
        computer players."""
        if self._service:
            await self._service.wait_until_ready()
        return await run_in_threadpool(self._answer)

    def _answer(self) -> Response:
        found = self._service.opponents() if self._service else ()
        status = self._service.status() if self._service else ServiceStatus()
        with self._context.store.read() as snapshot:
            ranks = {address: snapshot.ranks_of(address) for one in found for address in one.accounts}
        why = Rejection(*status.why) if status.why else None
        shape: OpponentsShape = {
            "opponents": [opponent(one, ranks) for one in found],
            "matches": status.matches,
            "limit": status.limit,
            "why": why.detail if why else "",
        }
        if why:
            shape |= {"key": why.key, "args": why.arguments}
        return json_response(shape)

    async def request(self, request: Request) -> Response:
        """Lets a computer player on this server take a free seat in an open match. The response
        comes after the computer player has sent its transaction. The seat is taken when the
        transaction is in a block."""
        counts = self._context.metrics.opponents
        try:
            found = await self._request(request)
        except Problem as rejection:
            counts.labels(rejection.code).inc()
            raise
        counts.labels("seated").inc()
        return json_response(found)

    async def _request(self, request: Request) -> OpponentTakenShape:
        if self._service is None:
            raise Problem(404, "no-opponents")
        match, name = _parse_request(body.parse(await body.read(request)))
        await self._service.wait_until_ready()
        match = await run_in_threadpool(self._check, self._service, match, name)
        await self._limit(client_of(request))
        self._pending += 1
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                account = await self._service.request(match, name)
        except RequestRejected as rejection:
            raise Problem(STATUSES[rejection.code], rejection.key, rejection.arguments) from None
        except TimeoutError:
            raise Problem(503, "opponents-away.late", {"seconds": f"{REQUEST_SECONDS:g}"}) from None
        finally:
            self._pending -= 1
        return {"match": match, "name": name, "account": account}

    def _check(self, service: OpponentService, match: str, name: str) -> str:
        """Return the match's name in its normal form. Raises Problem if the request is invalid, if
        the match is not open, or if it has no seat for the computer player."""
        if named := names.NAME.fullmatch(match):
            game_named(self._context.games, named["game"])
        try:
            game, number = names.parse_match(self._context.games, match)
        except names.BadName as error:
            raise Problem(422, "bad-parameter", {"why": str(error)}) from None
        match = match_name(game.slug, number)
        with self._context.store.read() as snapshot:
            found = snapshot.summary(game.slug, number)
        if found is None:
            raise Problem(404, "unknown-match", {"match": match})
        wanted = _find_opponent(service, game.slug, name)
        if found.status != "open":
            raise Problem(409, "match-not-open", {"match": match, "status": found.status})
        if not any(has_seat_for(found.board, account) for account in wanted.accounts):
            if waited_for := invited(found.board):
                raise Problem(409, "seat-reserved", {"match": match, "players": ", ".join(waited_for)})
            raise Problem(409, "seat-refused.several", {"name": name, "match": match})
        return match

    async def _limit(self, client: str) -> None:
        wait = {"retry-after": "60"}
        if self._pending >= MAX_PENDING:
            raise Problem(429, "opponents-too-often.at-once", {"n": MAX_PENDING}, wait)
        if not await self._limiter.hit(self._per_client, "client", client):
            raise Problem(429, "opponents-too-often", {"n": CLIENT_PER_MINUTE}, wait)
        if not await self._limiter.hit(self._all, "all"):
            raise Problem(429, "opponents-too-often.all", {"n": ALL_PER_MINUTE}, wait)


def _parse_request(payload: Any) -> tuple[str, str]:
    """Return the two names in the request: the match's and the computer player's."""
    match payload:
        case {"match": str(match), "name": str(name)}:
            return match, name
    raise Problem(422, "bad-parameter.opponent")


def _find_opponent(service: OpponentService, game: str, name: str) -> ComputerPlayer:
    """Return the computer player with this name. Raises Problem 404 if there is none, with a list
    of the game's computer players. Raises Problem 503 while there are no computer players at
    all."""
    found = service.opponents()
    if not found:
        why = service.status().why
        raise Problem(503, *(why or ("opponents-away",)))
    mine = {one.name: one for one in found if one.game == game}
    if not mine:
        raise Problem(404, "no-opponents.game", {"game": game})
    if name not in mine:
        arguments = {"game": game, "name": name[:60], "names": ", ".join(mine)}
        raise Problem(404, "unknown-opponent", arguments, names=list(mine))
    return mine[name]
