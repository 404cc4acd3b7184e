"""Describes the JSON-RPC requests and answers for the OpenAPI document."""

from __future__ import annotations

from api.chain.rpc_proxy import MAX_BATCH
from api.openapi.document import Answers, ref
from indexer.model import Json

REQUEST: Json = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
RPC_REQUEST: Json = {
    "oneOf": [ref("RpcRequestShape"), {"type": "array", "items": ref("RpcRequestShape"), "maxItems": MAX_BATCH}]
}
RPC_EXAMPLES = [
    ("one request", REQUEST),
    ("a batch", [REQUEST, {"jsonrpc": "2.0", "id": 2, "method": "eth_chainId", "params": []}]),
]
RPC_ANSWERS: Answers = {
    200: {
        "description": "the answer, or the answers to a batch",
        "content": {
            "application/json": {
                "schema": {"oneOf": [ref("RpcAnswerShape"), {"type": "array", "items": ref("RpcAnswerShape")}]}
            }
        },
    },
    204: {"description": "no content, because none of the executed requests had an id"},
}
