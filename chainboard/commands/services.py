"""`chainboard up` and `serve`. This is the only module that combines the chain, the indexer, the
miner and the gateway in one process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial

from fastapi import FastAPI

from api.app import create_app
from api.chain.faucet import Faucet, FaucetService
from api.chain.shared_limits import BadLimitsUrl, RateLimits
from api.net.origin import parse_site
from api.static import page
from bots.service.messages import OpponentService
from chainboard.chain.anvil import Anvil
from chainboard.chain.connect import chain_of, node_at, open_chain, warn_about_clock
from chainboard.chain.deployment import deploy_contracts, playable_games
from chainboard.chain.miner import mine_on_demand
from chainboard.chain.signer_keys import signer
from chainboard.commands.index import announcing
from chainboard.commands.jobs import Jobs, running
from chainboard.console import console
from chainboard.data_folder import folder_lock, running_urls
from chainboard.errors import UserError
from chainboard.indexing.database import NoProgress, existing_store, open_store, require_stored_chain
from chainboard.indexing.supervisor import Supervisor
from chainboard.indexing.watcher import Watcher
from chainboard.opponents import OpponentsProcess
from chainboard.server import forwarded_limits, serve_app
from chainboard.settings import Settings
from chainboard.sharing.facts import Facts, announced_facts, own_facts
from chainboard.sharing.requests import RemoteFaucet, RemoteOpponents, answer_requests
from chainboard.sharing.sponsor import gateway_sponsor
from chainboard.sharing.status import StatusReader, WriterStatus, announce_status, status_of
from indexer.node.client import Node
from indexer.sanitize import printable
from indexer.store.store import Store, StoreError
from indexer.wakeup import Wakeup
from replay.export.pictures import draw_picture
from sponsor.messages import SponsorService
from transactions.journal import Journal, JournalError


async def up(settings: Settings) -> None:
    """Run the chain with its contracts, the index, the gateway and the page until cancelled."""
    with folder_lock(settings):
        async with open_chain(settings) as (node, anvil):
            chain = await chain_of(node)
            deployments = await deploy_contracts(settings, node)
            if anvil is not None:
                await anvil.save()
            async with open_store(settings, chain, deployments) as store:
                supervisor = Supervisor(settings, node, store, deployments)
                async with announcing(store, supervisor):
                    try:
                        await supervisor.catch_up()
                    except NoProgress as stuck:
                        if supervisor.is_empty:
                            raise
                        console.print(
                            f"{printable(str(stuck))}. Chainboard serves the boards indexed so far, and retries"
                        )
                await _run_services(settings, node, store, supervisor, anvil)


async def _run_services(
    settings: Settings, node: Node, store: Store, supervisor: Supervisor, anvil: Anvil | None
) -> None:
    head_wakeup, hub_wakeup, miner_wakeup, faucet_wakeup = Wakeup(), Wakeup(), Wakeup(), Wakeup()

    def ring() -> None:
        hub_wakeup.notify()
        miner_wakeup.notify()
        faucet_wakeup.notify()

    faucet = await _faucet(settings, node) if settings.development else None
    opponents = OpponentsProcess(settings) if settings.development and settings.opponents else None
    # players have their own connections, so that they can't use up the indexer's connections
    player_node = node.with_own_connections() if anvil is None else anvil.players_node()

    def status() -> WriterStatus:
        final, figures = (anvil.saved_height, asdict(anvil.figures)) if anvil else (None, {})
        return status_of(supervisor.health, final, figures, faucet is not None, opponents)

    facts, sponsor = partial(own_facts, settings), gateway_sponsor(settings, store)
    app = _app(settings, store, player_node, hub_wakeup, facts, status, faucet, opponents, sponsor)
    jobs: Jobs = [node.listen(head_wakeup.notify), supervisor.run(head_wakeup, ring), sponsor.run()]
    jobs += [warn_about_clock(node), announce_status(store, status), answer_requests(store, faucet, opponents)]
    if settings.development:
        jobs.append(mine_on_demand(store, node, miner_wakeup))
    if faucet is not None:
        jobs.append(faucet.run(faucet_wakeup))
    if anvil is not None:
        jobs.append(anvil.save_regularly())
    if opponents is not None:
        jobs.append(opponents.run())
    async with contextlib.aclosing(player_node), running(jobs):
        await serve_app(settings, app, {"node": node.url}, opponents.wait_until_ready if opponents else None)


async def _faucet(settings: Settings, node: Node) -> Faucet:
    async def fund() -> None:
        with contextlib.suppress(UserError):
            await signer("FAUCET", node, settings)

    key = (await signer("FAUCET", node, settings)).key
    try:
        journal = Journal(settings.journal)
    except JournalError as error:
        raise UserError(f"the faucet can't open its journal of transactions: {error}") from error
    return Faucet(node, "0x" + bytes(key).hex(), journal, fund=fund)


async def serve(settings: Settings) -> None:
    """Run only the gateway and the page. Another process writes the database."""
    with contextlib.closing(existing_store(settings)) as store:
        urls = settings.rpc or running_urls(settings)
        facts = _facts_of(settings, store)
        async with contextlib.aclosing(node_at(settings, urls)) as node:
            await require_stored_chain(node, store)
            status = StatusReader(store)
            hub_wakeup, watcher, player_node = Wakeup(), Watcher(store, node, status), node.with_own_connections()
            remote = facts().development and store.is_server
            services = (RemoteFaucet(store, status), RemoteOpponents(store, status)) if remote else (None, None)

            def latest() -> WriterStatus:
                return replace(status.latest, health=watcher.health)

            sponsor = gateway_sponsor(settings, store)
            app = _app(settings, store, player_node, hub_wakeup, facts, latest, services[0], services[1], sponsor)
            jobs: Jobs = [watcher.run(hub_wakeup.notify), watcher.listen(hub_wakeup.notify), sponsor.run()]
            async with contextlib.aclosing(player_node), running(jobs):
                await serve_app(settings, app, None)


def _facts_of(settings: Settings, store: Store) -> Callable[[], Facts]:
    """Return a function that returns the facts about the contracts and the chain. The facts come
    from the database server or, if the database is a SQLite file, from the data folder. Raises
    UserError if the database server's database is still empty."""
    if not store.is_server:
        return partial(own_facts, settings)
    try:
        first = announced_facts(store)
    except StoreError as error:
        raise UserError(str(error)) from error
    if first is None:
        raise UserError("the database is empty: run `chainboard up` or `chainboard index` on it first")
    return lambda: announced_facts(store) or first


def _app(
    settings: Settings,
    store: Store,
    node: Node,
    hub_wakeup: Wakeup,
    facts: Callable[[], Facts],
    status: Callable[[], WriterStatus],
    faucet: FaucetService | None,
    opponents: OpponentService | None,
    sponsor: SponsorService,
) -> FastAPI:
    first = facts()
    return create_app(
        store=store,
        games=playable_games(),
        wakeup=hub_wakeup,
        node=node,
        health=lambda: status().health,
        page=page.page_to_serve(),
        development=first.development,
        faucet=faucet,
        hosts=[settings.host],
        public=parse_site(settings.public_url) if settings.public_url else None,
        max_lag=settings.max_lag,
        block_time=first.block_time,
        contracts=lambda: facts().contracts,
        libraries=lambda: facts().libraries,
        manifest=lambda: facts().manifest,
        tokens=settings.tokens,
        final=lambda: status().final,
        embedded=lambda: status().embedded,
        forwarded=forwarded_limits(settings),
        opponents=opponents,
        draw_picture=draw_picture,
        limits=_rate_limits(settings),
        sponsor=sponsor,
        coin=settings.coin_value,
    )


def _rate_limits(settings: Settings) -> RateLimits:
    try:
        return RateLimits(settings.limits)
    except BadLimitsUrl as error:
        raise UserError(str(error)) from error
