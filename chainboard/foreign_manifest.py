"""Loads a deployment manifest of another operator from a file, a URL or a gateway. Its size and the
time to load it are limited."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson

from chainboard.errors import UserError
from indexer.model import Json

SECONDS = 20.0
"""The number of seconds within which the whole response must arrive."""
MAX_BYTES = 5 * 2**20
"""The maximum size of a manifest after decompression, in bytes. Chainboard's own manifest has about
200 kB."""
GATEWAY_PATH = "/api/deployment"


async def foreign_manifest(source: str) -> Json:
    """Return the manifest in a file or at a URL. If a URL has no path or ends with a slash, it is
    the URL of a gateway. Raises UserError if there is no manifest."""
    if not source.startswith(("http://", "https://")):
        return _json_object(_file(source), source)
    url = source
    try:
        path = urlsplit(source).path
        is_gateway = not path or path.endswith("/")
        url = source.rstrip("/") + GATEWAY_PATH if is_gateway else source
        async with asyncio.timeout(SECONDS):
            content = await _fetched(url)
    except TimeoutError:
        raise UserError(f"{url} returned no deployment within {SECONDS:.0f} s") from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        printable = url[:200].encode("ascii", "backslashreplace").decode()
        raise UserError(
            f"{printable} returned no deployment: {str(error) or type(error).__name__}. Use the URL of a gateway, "
            "such as https://play.example.org or https://example.org/games/, or of a deployment.json"
        ) from error
    value = _json_object(content, url)
    return _of_gateway(value, source) if is_gateway else value


def _file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UserError(f"there is no file {name}: use a deployment.json or its URL") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read {name!a}: {error}") from error


async def _fetched(url: str) -> bytes:
    """Return the content at a URL. If the content is too large, stop reading after the chunk that
    exceeds the limit, and raise UserError."""
    content = bytearray()
    async with (
        httpx.AsyncClient(timeout=SECONDS, follow_redirects=True, headers={"Accept-Encoding": "identity"}) as client,
        client.stream("GET", url) as answer,
    ):
        answer.raise_for_status()
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise ValueError("the response is compressed, although the request didn't allow it")
        async for part in answer.aiter_raw():
            content += part
            if len(content) > MAX_BYTES:
                break
    return bytes(content)


def _json_object(content: bytes, source: str) -> Json:
    if len(content) > MAX_BYTES:
        raise UserError(f"{source} contains no deployment, because it has more than {MAX_BYTES // 2**20} MB")
    try:
        value: Any = orjson.loads(content)  # orjson doesn't recurse, so the depth of nesting doesn't matter
    except ValueError as error:
        raise UserError(f"{source} contains no deployment, because it isn't valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise UserError(f"{source} contains no deployment, because it isn't a JSON object")
    return value


def _of_gateway(sent: Json, source: str) -> Json:
    """Convert a gateway's response to the format of a manifest."""
    if sent.get("sessions", sent) is None:
        raise UserError(f"nothing is deployed at {source} yet")

    def entry(one: Json) -> Json:
        return {"contract": one["contract"], "address": one["address"], "height": one["firstBlock"]}

    try:
        return {
            "chainId": sent["chainId"],
            "genesis": sent["genesis"],
            "sessions": entry(sent["sessions"]),
            "libraries": [entry(one) for one in sent["libraries"]],
            "games": [
                {**one, **entry(one), "first_match": one["firstMatch"], "end_match": one.get("endMatch")}
                for one in sent["games"]
            ],
        }
    except (KeyError, TypeError) as error:
        raise UserError(f"{source} contains no deployment: {error!r}") from error
