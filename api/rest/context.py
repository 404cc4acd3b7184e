"""The dependencies of the routes: the parts of one server."""

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
    """No faucet where the chain is not a development chain. `final_height`: height up to which no block can go any
    more, where we know it better than the node. `opponents`: those that can be asked to play, if any. `libraries`: of
    the manifest, by their names. `manifest`: None where nothing is deployed. `limits`: where rates are counted.
    `sponsor`: who gives ether to visitors who have none, if anybody may. `draining`: set once the server is about to
    end. `max_lag`: seconds that the index of a ready server may be behind. `coin`: what fees are paid in."""

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
