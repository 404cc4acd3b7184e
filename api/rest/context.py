"""The parts of a server that its routes use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from api.chain.coin import Coin
from api.chain.faucet import FaucetService
from api.chain.rpc_proxy import RpcProxy
from api.chain.shared_limits import RateLimits
from api.metrics import Metrics
from bots.service.messages import OpponentService
from indexer.follow.health import Health
from indexer.gamekit.game import Game
from indexer.model import Json
from indexer.store.store import Store
from sponsor.messages import SponsorService


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of one server, for its routes.

    - `faucet`: the faucet, or None if the chain is not a development chain.
    - `final_height`: returns the height up to which no block can be removed, or None if only the
      node knows this height.
    - `opponents`: the computer players, or None if there are none.
    - `libraries`: returns a map from names to the manifest's libraries.
    - `manifest`: returns the deployment manifest, or None if nothing is deployed.
    - `limits`: counts requests for the rate limits.
    - `sponsor`: gives ether to visitors who have none. It is None if there is no sponsor.
    - `draining`: is set when the server is about to stop.
    - `max_lag`: the number of seconds that the index may be behind while the server is ready.
    - `coin`: the coin in which fees are paid."""

    store: Store
    games: Mapping[str, Game]
    libraries: Callable[[], Mapping[str, Json]]
    manifest: Callable[[], Json | None]
    health: Callable[[], Health]
    rpc: RpcProxy
    metrics: Metrics
    development: bool
    faucet: FaucetService | None
    block_time: float
    final_height: Callable[[], int | None]
    opponents: OpponentService | None
    limits: RateLimits
    sponsor: SponsorService | None
    draining: asyncio.Event
    max_lag: float
    coin: Coin
