"""The sponsor over HTTP: ether for the next moves of who has none."""

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
from sponsor.messages import SponsorRefused

CLIENT_PER_MINUTE = 20
STATUSES: Mapping[str, int] = {"sponsor-spent": 429, "sponsor-busy": 429, "sponsor-withheld": 403}
"""By the code of a refusal; any other is 503."""


class SponsorRoutes:
    """Route /sponsor. How often it is asked is limited for each network address; what it gives the sponsor's own
    budgets limit."""

    def __init__(self, context: Context) -> None:
        self._context, self._limiter = context, context.limits.fixed_window()
        self._per_client = RateLimitItemPerMinute(CLIENT_PER_MINUTE)

    async def give(self, request: Request) -> Response:
        """Gives an account without ether what the next moves of a game cost at today's fees, where the operator has set
        up a sponsor: within budgets for each address, each network address, each game and each day, and never for
        stakes. Who has enough is given nothing. A refusal says when to come again, where that is known."""
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
            found = await service.give(address, client, game.slug)
        except SponsorRefused as refused:
            raise _problem(refused, self._context.coin.symbol) from refused
        shape: SponsoredShape = {"address": found.address, "sent": str(found.sent), "moves": found.moves}
        if found.tx:
            shape["tx"] = found.tx
        return json_response(shape)


def _game(payload: Any) -> str:
    game = payload.get("game")
    if not isinstance(game, str):
        raise Problem(422, "bad-parameter.sponsor")
    return game


def _problem(refused: SponsorRefused, coin: str) -> Problem:
    """A sponsor does not know what its gateway's operator calls the coin."""
    status = STATUSES.get(refused.key.partition(".")[0], 503)
    headers = {} if refused.wait is None else {"retry-after": str(refused.wait)}
    return Problem(status, refused.key, {**refused.arguments, "coin": coin}, headers)
