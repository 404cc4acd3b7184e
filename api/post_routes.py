"""The routes under /api whose requests have a body."""

from __future__ import annotations

from fastapi import APIRouter

from api.chain.rpc_document import RPC_ANSWERS, RPC_EXAMPLES, RPC_REQUEST
from api.openapi.document import answer, json_body, ref
from api.openapi.route import Route
from api.rest.context import Context
from api.rest.nicknames import NicknameRoutes
from api.rest.opponents import OpponentRoutes
from api.rest.sponsor import SponsorRoutes
from api.rest.writes import WriteRoutes
from api.routes import of_games
from api.shapes.chain import FaucetShape, SponsoredShape
from api.shapes.fields import ALICE
from api.shapes.nicknames import NICKNAME_EXAMPLE, NicknameShape
from api.shapes.opponents import OpponentTakenShape

BODY = ("malformed-json", "body-too-large", "not-json")


def writes(context: Context) -> APIRouter:
    """Return the router of all routes whose requests have a body."""
    router = APIRouter()
    for route in (*_table(context), *of_games(context)):
        if route.body:
            route.add(router)
    return router


def _table(context: Context) -> tuple[Route, ...]:
    sending = WriteRoutes(context)
    return (
        Route(
            path="/rpc",
            operation="rpc",
            tag="chain",
            summary="Send JSON-RPC to the chain's node",
            endpoint=sending.rpc,
            answers=RPC_ANSWERS,
            codes=(*BODY, "too-much", "unreadable"),
            body=json_body(RPC_REQUEST, RPC_EXAMPLES),
        ),
        Route(
            path="/faucet",
            operation="faucet",
            tag="chain",
            summary="Get ether on a development chain",
            endpoint=sending.faucet,
            answers=answer(FaucetShape, "the transfer, if the account needed ether"),
            codes=(
                *BODY, "no-faucet", "bad-parameter", "faucet-too-often", "faucet-busy", "node-lost", "faucet-away",
                "faucet-empty", "faucet-refused",
            ),
            body=json_body(ref("FaucetRequest"), [("an account", {"address": ALICE})]),
        ),
        Route(
            path="/sponsor",
            operation="sponsor",
            tag="chain",
            summary="Get ether for a game's next moves",
            endpoint=SponsorRoutes(context).grant,
            answers=answer(SponsoredShape, "the transfer, if the account needed ether"),
            codes=(
                *BODY, "no-sponsor", "unknown-game", "bad-parameter", "sponsor-withheld", "sponsor-spent",
                "sponsor-busy", "sponsor-away", "sponsor-unable",
            ),
            body=json_body(ref("SponsorRequest"), [("an account", {"address": ALICE, "game": "chess"})]),
        ),
        Route(
            path="/opponents",
            operation="requestOpponent",
            tag="chain",
            summary="Ask a computer player to play",
            endpoint=OpponentRoutes(context).request,
            answers=answer(OpponentTakenShape, "the computer player, which has sent a transaction to join the match"),
            codes=(
                *BODY, "no-opponents", "unknown-game", "unknown-match", "unknown-opponent", "bad-parameter",
                "match-not-open", "seat-reserved", "seat-refused", "opponents-too-often", "opponents-busy",
                "opponents-away", "opponents-broke", "unreadable",
            ),
            body=json_body(ref("OpponentRequest"), [("a match", {"match": "chess/7", "name": "club"})]),
        ),
        Route(
            path="/nicknames",
            operation="setNickname",
            tag="players",
            summary="Set an account's nickname",
            endpoint=NicknameRoutes(context).set_nickname,
            answers=answer(NicknameShape, "the stored nickname"),
            codes=(
                *BODY, "bad-parameter", "bad-nickname", "nickname-time", "nickname-unsigned", "nickname-taken",
                "nickname-superseded", "nicknames-too-often", "unreadable",
            ),
            body=json_body(ref("NicknameRequest"), [("a nickname", NICKNAME_EXAMPLE)]),
        ),
    )  # fmt: skip
