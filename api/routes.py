"""The routes under /api that read, as a table. They are sync: they run beside the event loop."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from api.openapi.document import problems
from api.openapi.game_modules import game_modules
from api.openapi.route import Route
from api.rest.context import Context
from api.rest.matches import MatchRoutes
from api.rest.opponents import OpponentRoutes
from api.rest.params import each_once
from api.rest.players import PlayerRoutes
from api.rest.status import StatusRoutes
from api.shapes.events import AllEventsShape, DeltasShape, EventsShape
from api.shapes.games import GamesShape
from api.shapes.matches import MatchesShape, MatchShape
from api.shapes.opponents import OpponentsShape
from api.shapes.players import LeaderboardShape, PlayerShape
from api.shapes.replay import ReplayShape
from api.shapes.status import HealthShape

PACKAGE = "api.rest"
ONE_MATCH = ("unknown-game", "unknown-match", "bad-parameter", "unreadable")
LIST = ("bad-cursor", "stale-cursor", "unknown-game", "bad-parameter", "unreadable")


def table(context: Context) -> tuple[Route, ...]:
    """All routes for every game that give out JSON."""
    status, matches, players = StatusRoutes(context), MatchRoutes(context), PlayerRoutes(context)
    return (
        Route(
            path="/matches",
            operation="listMatches",
            tag="matches",
            summary="List matches",
            description=(
                "Matches, the newest first, in pages. Filters may be combined: `game`, `status`, and either `player` "
                "(with a seat) or `opponent` (invited)."
            ),
            endpoint=matches.all,
            shape=MatchesShape,
            about="a page of matches",
            codes=LIST,
        ),
        Route(
            path="/matches/{game}/{id}",
            operation="getMatch",
            tag="matches",
            summary="Get a match's board",
            description=(
                "The board after the match's last event; with `seq` after that event, with `block` as it was at the "
                "end of that block. Ask for one of the two, not for both."
            ),
            endpoint=matches.one,
            shape=MatchShape,
            about="the match with its board",
            codes=("unknown-seq", "unknown-block", *ONE_MATCH),
        ),
        Route(
            path="/matches/{game}/{id}/events",
            operation="listMatchEvents",
            tag="matches",
            summary="List a match's events",
            description="The events of one match by their numbers, from the one behind `after` on.",
            endpoint=matches.events,
            shape=EventsShape,
            about="some of the match's events",
            codes=ONE_MATCH,
        ),
        Route(
            path="/matches/{game}/{id}/deltas",
            operation="listMatchDeltas",
            tag="matches",
            summary="List what a match's events changed",
            description=(
                "A JSON Merge Patch (RFC 7396) for each event behind `after`. Applied one after the other to the board "
                "of event `after` they give each following board; no rules of the game are needed."
            ),
            endpoint=matches.deltas,
            shape=DeltasShape,
            about="some of the match's patches",
            codes=ONE_MATCH,
        ),
        Route(
            path="/matches/{game}/{id}/replay",
            operation="getReplay",
            tag="matches",
            summary="Get a match as a replay file",
            description=(
                "The whole match in one file: chain and contract, every event with its block, transaction and patch, "
                "and the last board with its hash. `chainboard verify FILE` proves it against any node of that chain."
            ),
            endpoint=matches.replay,
            shape=ReplayShape,
            about="the replay file",
            codes=ONE_MATCH,
        ),
        Route(
            path="/events",
            operation="listEvents",
            tag="matches",
            summary="List events across matches",
            description=(
                "Events in the chain's order, in pages. Filters may be combined: `game`, `name`, `player` (an address "
                "that the event names), and a range of blocks."
            ),
            endpoint=matches.all_events,
            shape=AllEventsShape,
            about="a page of events",
            codes=LIST,
        ),
        Route(
            path="/players/{address}",
            operation="getPlayer",
            tag="players",
            summary="Get a player",
            description=(
                "What an address has done: in all games together, and in each with its rating and rank. An address "
                "that never played has zeros and an empty list."
            ),
            endpoint=players.one,
            shape=PlayerShape,
            about="the player",
            codes=("bad-parameter", "unreadable"),
        ),
        Route(
            path="/leaderboard",
            operation="getLeaderboard",
            tag="players",
            summary="List the best players",
            description=(
                "The players who have finished a match, by their ratings (Elo) in a game (without one: in each), among "
                "equals by address, in pages. All pages are as of one block: the last one when the first page was "
                "asked for. With `opponents=false` this server's computer players are left out, and count for no rank."
            ),
            endpoint=players.leaderboard,
            shape=LeaderboardShape,
            about="a page of players",
            codes=LIST,
        ),
        Route(
            path="/opponents",
            operation="listOpponents",
            tag="players",
            summary="List the computer players",
            description=(
                "The opponents that can be asked to play: of each game the strengths by name, with their accounts. "
                "Where a match names its second player, one of these accounts is invited; a free seat is asked for by "
                "POST. Empty where there are none."
            ),
            endpoint=OpponentRoutes(context).all,
            shape=OpponentsShape,
            about="the opponents, and how busy they are",
            codes=("unreadable",),
        ),
        Route(
            path="/games",
            operation="listGames",
            tag="server",
            summary="List the games",
            description=(
                "Each game with its contracts, the newest one's ABI, and what players can do: labels, inputs, and gas "
                "limits that always suffice."
            ),
            endpoint=status.games,
            shape=GamesShape,
            about="all games",
            codes=("unreadable",),
        ),
        Route(
            path="/health",
            operation="getHealth",
            tag="server",
            summary="Tell how the server is",
            description=(
                "Where the index stands, compared with the chain's node. It is 200 also when the node is lost: what is "
                "indexed can still be read."
            ),
            endpoint=status.health,
            shape=HealthShape,
            about="where the index stands",
            codes=("unreadable",),
        ),
    )


def of_games(context: Context) -> tuple[Route, ...]:
    """Those that one game alone has."""
    return tuple(route for module in game_modules(PACKAGE) for route in module.routes(context))


def reads(context: Context) -> APIRouter:
    """What can be asked."""
    router = APIRouter(dependencies=[Depends(each_once)])
    for route in (*table(context), *of_games(context)):
        if not route.body:
            route.add(router)
    figures = "# HELP chainboard_sockets Open websockets\n# TYPE chainboard_sockets gauge\nchainboard_sockets 3.0\n"
    text = {"description": "the figures", "content": {"text/plain": {"schema": {"type": "string"}, "example": figures}}}
    router.add_api_route(
        "/metrics",
        StatusRoutes(context).metrics,
        operation_id="getMetrics",
        tags=["server"],
        summary="Tell the server's figures",
        description="Counters and gauges in the text format of Prometheus.",
        response_class=Response,
        responses={200: text, **problems("unreadable")},
    )
    return router
