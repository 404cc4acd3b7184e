"""The routes under /api with a body."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.chain.rpc_proxy import MAX_BATCH
from api.openapi.document import answer, json_body, problems, ref
from api.rest.context import Context
from api.rest.opponents import OpponentRoutes
from api.rest.rpc_document import RPC_ANSWERS, RPC_EXAMPLES, RPC_REQUEST
from api.rest.writes import WriteRoutes
from api.routes import of_games
from api.shapes.chain import FaucetShape
from api.shapes.fields import ALICE
from api.shapes.opponents import OpponentTakenShape


def writes(context: Context) -> APIRouter:
    """What can be sent."""
    router = APIRouter()
    sending = WriteRoutes(context)
    bad = ("malformed-json", "body-too-large", "not-json")
    router.add_api_route(
        "/rpc",
        sending.rpc,
        methods=["POST"],
        tags=["chain"],
        operation_id="rpc",
        summary="Ask the chain's node",
        description=f"JSON-RPC 2.0, for wallets and libraries: reads, calls of this server's contracts, and signed "
        f"transactions to them. One request or a batch of at most {MAX_BATCH}. What is refused is an `error` in an "
        "answer with status 200, as JSON-RPC has it; -32601 is a method that is not available here.",
        response_class=Response,
        responses={**RPC_ANSWERS, **problems(*bad, "too-much", "unreadable")},
        openapi_extra=json_body(RPC_REQUEST, RPC_EXAMPLES),
    )
    router.add_api_route(
        "/faucet",
        sending.faucet,
        methods=["POST"],
        tags=["chain"],
        operation_id="faucet",
        summary="Get ether on a development chain",
        description="Tops an account up to 1 ether when it has less than 0.1, once a minute. Other chains have none.",
        response_class=Response,
        responses={
            200: answer(FaucetShape, "what was sent"),
            **problems(
                *bad, "no-faucet", "bad-parameter", "faucet-too-often", "faucet-busy", "node-lost", "faucet-empty",
                "faucet-refused",
            ),
        },
        openapi_extra=json_body(ref("FaucetRequest"), [("an account", {"address": ALICE})]),
    )  # fmt: skip
    router.add_api_route(
        "/opponents",
        OpponentRoutes(context).request,
        methods=["POST"],
        tags=["chain"],
        operation_id="requestOpponent",
        summary="Ask a computer player to play",
        description="Has an opponent of this server take a free seat of an open match. The answer comes when its "
        "transaction has been sent; the seat is taken when that is in a block.",
        response_class=Response,
        responses={
            200: answer(OpponentTakenShape, "who takes the seat"),
            **problems(
                *bad, "no-opponents", "unknown-game", "unknown-match", "unknown-opponent", "bad-parameter",
                "match-not-open", "seat-reserved", "seat-refused", "opponents-too-often", "opponents-busy",
                "opponents-away", "opponents-broke", "unreadable",
            ),
        },
        openapi_extra=json_body(ref("OpponentRequest"), [("a match", {"match": "chess/7", "name": "club"})]),
    )  # fmt: skip
    for route in of_games(context):
        if route.body:
            route.add(router)
    return router
