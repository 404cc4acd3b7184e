"""JSON responses, serialised once: the shapes of `schemas` are for OpenAPI, and tests hold them true."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response


def json_response(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
