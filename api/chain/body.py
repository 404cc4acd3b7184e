"""Reads the JSON bodies of requests, up to a maximum size."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Request

from api.problems import Problem

MAX_BODY = 128 * 1024


async def read(request: Request) -> bytes:
    """Return the request's body. Raises Problem 415 if the request doesn't declare the body as
    JSON, and 413 if the body is longer than MAX_BODY."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        if not content_type:
            raise Problem(415, "not-json.none")
        raise Problem(415, "not-json", {"type": content_type[:100]})
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Problem(413, "body-too-large", {"maximum": MAX_BODY}, maximum=MAX_BODY)
    return bytes(body)


def parse(body: bytes) -> Any:
    """Parse the body as JSON. Raises Problem 400 if it isn't valid JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Problem(400, "malformed-json", {"why": str(error)}) from None
