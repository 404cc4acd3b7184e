"""Builds JSON responses from dicts. The dicts are not compared with their shapes at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from fastapi import Response


def json_response(value: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(value), media_type="application/json", headers=headers)
