"""Dependencies of the routes: the parts of one server."""

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
    """Dependencies of the routes.

    - `faucet`: None if the chain is not a development chain.
    - `final_height`: height up to which no block can be removed, if we know it better than the
      node.
    - `opponents`: the computer players, if there are any.
    - `libraries`: the manifest's libraries by name.
    - `manifest`: None if nothing is deployed.
    - `limits`: counts the rates.
    - `sponsor`: gives ether to visitors who have none, if there is a sponsor.
    - `draining`: set when the server is about to stop.
    - `max_lag`: seconds that the index of a ready server may be behind.
    - `coin`: the currency of fees."""

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
