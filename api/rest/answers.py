"""JSON responses, serialised once: the shapes are dicts, which nothing checks on their way."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response


def json_response(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
