"""The routes for the server's state and contents: health, readiness, games, contracts and
metrics."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from time import time

from anyio import to_thread
from fastapi import Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.net.drain import draining_problem
from api.problems import Problem
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.params import AbiHash, WithAbi
from api.shapes.games import AbiShape, GamesShape, abi_hash, game
from api.shapes.manifest import manifest
from api.shapes.status import HealthShape, ReadyShape, health_lag
from api.static.files import FOREVER
from indexer.model import Block

VERSION = version("chainboard")
MAX_LAG_SECONDS = 60.0
READY_SECONDS = 2.0
"""The timeout for the database, in seconds. A load balancer wouldn't wait longer for the
response."""


class StatusRoutes:
    """The routes that don't belong to a match."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._caught_up_at = 0

    def health(self) -> Response:
        """Returns the state of the index compared with the chain's node. The HTTP status is 200
        even if the node is lost, because the index can still be read."""
        found = self._context.health()
        with self._context.store.read() as snapshot:
            chain, tip = snapshot.chain(), snapshot.tip()
        shape: HealthShape = {
            "chainId": chain.chain_id if chain else None,
            "genesis": chain.genesis if chain else None,
            "nodeHead": found.node_head,
            "indexedHead": tip.height if tip else None,
            "finalHead": self._context.final_height(),
            "lag": health_lag(found, tip, int(time())),
            "state": found.state,
            "detail": found.detail,
            "development": self._context.development,
            "sponsor": self._context.sponsor is not None and self._context.sponsor.status() is not None,
            "coin": self._context.coin.symbol,
            "rate": self._context.coin.rate_shape(),
            "tellCostsAbove": self._context.coin.tell_costs_above,
            "version": VERSION,
            "blockTime": self._context.block_time,
        }
        return json_response(shape)

    async def ready(self) -> Response:
        """Returns 200 if a load balancer may send requests to this server. The server is not ready
        if it is about to stop, if nothing is indexed yet, or if the index is more than `--max-lag`
        seconds behind the node. It stays ready if only the node is lost, because boards can be read
        without the node."""
        if self._context.draining.is_set():
            raise draining_problem()
        found, now = self._context.health(), int(time())
        try:
            async with asyncio.timeout(READY_SECONDS):
                tip = await to_thread.run_sync(self._tip, abandon_on_cancel=True)
        except TimeoutError:
            raise Problem(503, "not-ready.silent", headers={"retry-after": "1"}) from None
        if tip is None:
            raise Problem(503, "not-ready.empty", headers={"retry-after": "1"})
        lag = health_lag(found, tip, now)
        if not lag["blocks"]:
            self._caught_up_at = now
        # If no block came for an hour, the last indexed block is an hour old. When the next block
        # comes, the server must not count as an hour behind. The lag is therefore counted from
        # the last time when the server had caught up.
        seconds = min(lag["seconds"], now - self._caught_up_at)
        if seconds > self._context.max_lag:
            arguments: dict[str, str | int] = {"seconds": seconds, "maximum": f"{self._context.max_lag:g}"}
            raise Problem(503, "not-ready.behind", arguments, {"retry-after": "1"}, lag=lag)
        shape: ReadyShape = {"ready": True, "lag": lag}
        return json_response(shape)

    def _tip(self) -> Block | None:
        with self._context.store.read() as snapshot:
            return snapshot.tip()

    def games(self, abi: WithAbi = True) -> Response:
        """Returns each game with its contracts, the newest contract's ABI, and the players' actions
        with labels, inputs, and gas limits that always suffice. The ABIs make up most of the
        response. `abi=false` leaves them out, and `GET /abis/{hash}` returns a single ABI."""
        with self._context.store.read() as snapshot:
            deployments = snapshot.deployments()
        games, libraries = self._context.games.items(), self._context.libraries()
        found: GamesShape = {
            "games": [
                game(rules, [one for one in deployments if one.game == slug], libraries, abi=abi)
                for slug, rules in games
            ]
        }
        return json_response(found)

    def abi(self, hash: AbiHash) -> Response:
        """Returns the ABI of a game's contract. The ABI with this hash never changes, so you can
        cache it forever."""
        with self._context.store.read() as snapshot:
            deployments = snapshot.deployments()
        for one in deployments:
            if abi_hash(one.abi) == hash:
                found: AbiShape = {"abi": one.abi}
                return json_response(found, {"cache-control": FOREVER})
        raise Problem(404, "unknown-abi", {"hash": hash})

    def deployment(self) -> Response:
        """Returns the contracts, each with its name in the sources and the block that created it.
        `chainboard adopt` reads this list, checks it against the chain, and follows the
        contracts."""
        return json_response(manifest(self._context.manifest()))

    def metrics(self) -> Response:
        """Returns counters and gauges in Prometheus's text format."""
        tip = self._tip()
        head = self._context.health().node_head
        figures = self._context.metrics
        figures.indexed.set(tip.height if tip else -1)
        figures.node.set(-1 if head is None else head)
        return Response(figures.render(), media_type=CONTENT_TYPE_LATEST)
