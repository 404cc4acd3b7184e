"""The route for the sponsor, which gives ether for the next moves to accounts that have none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from limits import RateLimitItemPerMinute

from api.chain import body
from api.problems import Problem
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import game_named
from api.rest.writes import client_of, requested_address
from api.shapes.chain import SponsoredShape
from sponsor.messages import SponsorRejected

CLIENT_PER_MINUTE = 20
STATUSES: Mapping[str, int] = {"sponsor-spent": 429, "sponsor-busy": 429, "sponsor-withheld": 403}
"""The HTTP statuses of rejections. The key is the rejection's code. Other rejections have status
503."""


class SponsorRoutes:
    """The route /sponsor. Requests are limited per network address. The ether is limited by the
    sponsor's own budgets."""

    def __init__(self, context: Context) -> None:
        self._context, self._limiter = context, context.limits.fixed_window()
        self._per_client = RateLimitItemPerMinute(CLIENT_PER_MINUTE)

    async def grant(self, request: Request) -> Response:
        """Sends an account the ether that it lacks for a game's next moves at today's fees. An
        account with enough ether gets nothing, and the sponsor never pays for stakes. The operator
        sets up the sponsor, with budgets per address, per network address, per game and per day. If
        the sponsor knows when a rejected request can succeed, the response has the header
        `retry-after`."""
        service = self._context.sponsor
        if service is None or service.status() is None:
            raise Problem(404, "no-sponsor", {"coin": self._context.coin.symbol})
        payload = body.parse(await body.read(request))
        address = requested_address(payload, "bad-parameter.sponsor")
        game = game_named(self._context.games, _game(payload))
        client = client_of(request)
        if not await self._limiter.hit(self._per_client, "sponsor", client):
            raise Problem(429, "sponsor-busy", {"n": CLIENT_PER_MINUTE}, {"retry-after": "60"})
        try:
            found = await service.grant(address, client, game.slug)
        except SponsorRejected as rejection:
            raise _problem(rejection, self._context.coin.symbol) from rejection
        shape: SponsoredShape = {"address": found.address, "sent": str(found.sent), "moves": found.moves}
        if found.tx:
            shape["tx"] = found.tx
        return json_response(shape)


def _game(payload: Any) -> str:
    game = payload.get("game")
    if not isinstance(game, str):
        raise Problem(422, "bad-parameter.sponsor")
    return game


def _problem(rejection: SponsorRejected, coin: str) -> Problem:
    """Return the rejection as a problem, and add the coin's symbol, which the sponsor's process
    doesn't know."""
    status = STATUSES.get(rejection.key.partition(".")[0], 503)
    headers = {} if rejection.wait is None else {"retry-after": str(rejection.wait)}
    return Problem(status, rejection.key, {**rejection.arguments, "coin": coin}, headers)
