"""A client of a gateway's HTTP API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp
import orjson

from indexer.model import Json

REQUEST_SECONDS = 20.0
MAX_BYTES = 16 * 2**20
PAGE = 100


class GatewayError(Exception):
    """The gateway doesn't answer, or answers with an error. The message explains why. `status` is
    the HTTP status of the response, or 0 if there was no response."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class Gateway:
    """A client of the gateway at a URL, with or without a trailing slash."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS),
            headers={"accept-encoding": "identity"},  # a compressed body could expand to any size
            auto_decompress=False,
        )

    @property
    def rpc_url(self) -> str:
        return f"{self.url}/api/rpc"

    @property
    def websocket_url(self) -> str:
        return "ws" + self.url.removeprefix("http") + "/ws"

    async def aclose(self) -> None:
        await self._session.close()

    async def get(self, path: str, **query: str | int) -> Json:
        """Return the JSON object at a path under /api. Raises GatewayError."""
        return await self._answer("GET", path + (f"?{urlencode(query)}" if query else ""))

    async def post(self, path: str, body: Mapping[str, Any]) -> Json:
        return await self._answer("POST", path, json=body)

    async def pages(self, path: str, key: str, limit: int, **query: str | int) -> AsyncIterator[Json]:
        """Yield at most `limit` rows of a list under /api, which the gateway sends page by page."""
        found, cursor = 0, ""
        while found < limit:
            page = await self.get(
                path, limit=min(PAGE, limit - found), **query, **({"cursor": cursor} if cursor else {})
            )
            for row in page[key]:
                yield row
            found += len(page[key])
            cursor = page.get("next", "")
            if not cursor or not page[key]:
                return

    async def _answer(self, method: str, path: str, **more: Any) -> Json:
        try:
            async with self._session.request(method, f"{self.url}/api{path}", **more) as response:
                content = bytearray()
                async for part in response.content.iter_any():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise GatewayError(f"{self.url} returned more than {MAX_BYTES} bytes")
                found: Any = orjson.loads(content)
                if not isinstance(found, dict):
                    raise GatewayError(f"{self.url} returned something that is not a JSON object")
                if response.status >= 400:
                    raise GatewayError(str(found.get("detail", response.reason)), response.status)
                return found
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise GatewayError(f"no gateway answers at {self.url}: {error or type(error).__name__}") from error
