"""Creates the gateway's ASGI application: the API's routes, the websocket, the page, and the checks
that run before them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import WebSocketRoute

from api import post_routes, problems, routes
from api.chain.coin import Coin
from api.chain.faucet import FaucetService
from api.chain.rpc_proxy import ClientLimits, RpcProxy
from api.chain.shared_limits import RateLimits
from api.live.hub import Hub
from api.live.websocket import WebSocketGateway
from api.metrics import Metrics
from api.net.connection_limits import ConnectionLimits, ForwardedLimits
from api.net.drain import Drain
from api.net.host_check import HostCheck
from api.net.origin import Site
from api.openapi.document import document
from api.rest.context import Context
from api.rest.status import MAX_LAG_SECONDS, VERSION
from api.share.pictures import DrawPicture, PictureCache
from api.share.routes import ShareRoutes
from api.static.files import PageFiles
from api.static.page import ServedPage
from bots.service.messages import OpponentService
from indexer.follow.health import Health
from indexer.gamekit.game import Game
from indexer.model import Json
from indexer.node.client import Node
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from sponsor.messages import SponsorService

COMPRESSED_BYTES = 1024
"""The minimum size, in bytes, of the responses that are compressed. Smaller responses fit into one
network packet anyway."""
COMPRESSION_LEVEL = 5
"""The gzip level for responses. At a higher level, each compression would block the event loop for
longer."""


def create_app(
    *,
    store: Store,
    games: Mapping[str, Game],
    wakeup: Wakeup,
    node: Node | None,
    health: Callable[[], Health],
    page: ServedPage,
    development: bool = False,
    faucet: FaucetService | None = None,
    hosts: Iterable[str] = (),
    public: Site | None = None,
    max_lag: float = MAX_LAG_SECONDS,
    block_time: float = 0,
    contracts: Callable[[], Iterable[str]] = tuple,
    libraries: Callable[[], Mapping[str, Json]] = dict,
    manifest: Callable[[], Json | None] = lambda: None,
    client_limits: ClientLimits | None = None,
    tokens: Iterable[str] = (),
    final: Callable[[], int | None] = lambda: None,
    embedded: Callable[[], Mapping[str, float]] = dict,
    forwarded: ConnectionLimits | None = None,
    opponents: OpponentService | None = None,
    draw_picture: DrawPicture | None = None,
    limits: RateLimits | None = None,
    sponsor: SponsorService | None = None,
    coin: Coin | None = None,
) -> FastAPI:
    """Create a gateway over one store. Start it with uvicorn and `api.live.websocket.UVICORN`.

    - `hosts`: the host names that are accepted in addition to loopback. 0.0.0.0 or :: accepts any
      numeric address, and * accepts any host.
    - `public`: the site at which browsers reach the gateway. If it is set, no other origin is
      accepted.
    - `max_lag`: /api/ready fails if the index is more than this many seconds behind. It also fails
      when the event `app.state.draining` is set.
    - `contracts`: the addresses of our contracts that /rpc accepts in addition to the games'
      deployments.
    - `tokens`: the tokens that /rpc accepts even before a match is staked in them.
    - `libraries`: a map from names to the contracts' libraries, as in the manifest.
    - `manifest`: the deployment manifest, or None if there is none.
    - `faucet`: the faucet, which is used only on a development chain.
    - `block_time`: the seconds between blocks, as reported to clients. It is 0 if each transaction
      gets its own block.
    - `final`: the height up to which blocks of our own chain are final, as reported to clients.
    - `embedded`: returns the figures of an embedded chain for the metrics.
    - `forwarded`: counts and limits the connections of clients behind a proxy.
    - `opponents`: the computer players, or None if there are none.
    - `draw_picture`: draws the boards for shared links. If it is None, the links have no pictures.
    - `limits`: counts requests for the rate limits. If it is None, this process counts them.
    - `sponsor`: gives ether to visitors who have none, on any chain. It is None if there is no
      sponsor.
    - `coin`: the coin in which fees are paid. If it is None, fees are paid in ether.
    - `wakeup`: is notified after each change to the store. Without notifications, the gateway polls
      the store every 10 seconds."""
    limits = limits or RateLimits()
    metrics = Metrics(health, embedded, opponents.status if opponents else None, sponsor.status if sponsor else None)
    metrics.shared_limits.set_function(lambda: limits.is_shared)
    hub = Hub(store, games, wakeup, metrics, development)
    draining = asyncio.Event()
    gateway = WebSocketGateway(hub, games, draining, limits)
    rpc = RpcProxy(node, store, metrics, limits, contracts, client_limits, tokens)
    pictures = None if draw_picture is None else PictureCache(draw_picture)
    usable_faucet = faucet if development else None
    parts = (rpc, metrics, development, usable_faucet, block_time, final, opponents, limits, sponsor, draining, max_lag)
    context = Context(store, games, libraries, manifest, health, *parts, coin or Coin())

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(hub.run()), asyncio.create_task(gateway.close_when_draining())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            hub.stop()
            await limits.aclose()
            if pictures is not None:
                pictures.stop()

    app = FastAPI(lifespan=lifespan, openapi_url=None)
    app.state.draining = draining
    problems.install(app)
    if forwarded is not None:
        app.add_middleware(ForwardedLimits, connections=forwarded)
    app.add_middleware(Drain, draining=draining)
    app.add_middleware(HostCheck, hosts=list(hosts), public=public and public.origin)

    app.router.routes.append(WebSocketRoute("/ws", gateway.serve))
    app.mount("/api", _api(context))
    files = PageFiles(page)
    app.router.routes += ShareRoutes(store, games, files, pictures, public).table()
    app.mount("/", files)
    return app


def _api(context: Context) -> FastAPI:
    """Create a separate application for /api. Without it, the page's routes would handle API
    requests with a wrong method or path."""
    api = FastAPI(title="Chainboard", version=VERSION, docs_url=None, redoc_url=None)
    api.openapi = lambda: document(api)  # type: ignore[method-assign]
    problems.install(api)
    api.add_middleware(GZipMiddleware, minimum_size=COMPRESSED_BYTES, compresslevel=COMPRESSION_LEVEL)
    routers = (routes.reads(context), post_routes.writes(context))
    for router in routers:
        api.include_router(router)
    api.state.routes = [route for router in routers for route in router.routes]
    return api
