"""`chainboard bots`: runs computer players and the keeper for a data folder's `up` or for any
gateway."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from bots.opponent import BadOpponents
from bots.registry import OPPONENTS, Opponent, find
from bots.service import pipe
from bots.service.funds import BudgetFunds, FaucetFunds, Funds, FundsSource
from bots.service.gateway import Gateway, GatewayError
from bots.service.keeper import Keeper
from bots.service.player import Player
from bots.service.secret_files import SecretFiles
from bots.service.service import OpponentsRunner
from bots.service.thinking import ThinkingPool
from chainboard.chain.deployment import known_deployments
from chainboard.chain.dev_keys import load_or_create
from chainboard.chain.signer_keys import named_signer
from chainboard.console import console
from chainboard.data_folder import PRIVATE, PRIVATE_FOLDER, read_json, write_atomically
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.games import GAMES
from indexer.node.client import Node
from indexer.sanitize import printable
from indexer.wakeup import Wakeup
from transactions.journal import Journal, JournalError
from transactions.l1_fee import L1FeeOracle
from transactions.manager import TransactionManager

MAX_WORKERS = 4
FUNDED = "funded-"
"""The prefix of the files with the keys of accounts that the operator pays for. An account that
gets its ether from a faucet has no prefix, because it holds nothing worth stealing."""
NICE = 19
"""The niceness of a process that shares a machine with its gateway. With this value, the gateway
takes precedence."""


@dataclass(frozen=True, slots=True)
class BotOptions:
    """The options of `chainboard bots`.

    `url` is a gateway's URL, or None for the data folder's `up`. `opponents` contains `GAME:NAME`
    or `GAME:FILE.py`. If it is empty, all built-in computer players play. `budget` is the
    operator's ether per day, and `stake` is the highest stake, both in wei. The operator's ether
    may be used only for calls to the contracts in the data folder and to those in `contracts`. If
    `piped` is True, a gateway writes requests to standard input."""

    url: str | None
    opponents: Sequence[str]
    keeper: bool
    contracts: Sequence[str]
    budget: int
    stake: int
    piped: bool


async def run(settings: Settings, options: BotOptions) -> None:
    """Play until cancelled. If requests are piped, play only until standard input ends."""
    _log_to_terminal(logging.WARNING if options.piped else logging.INFO)
    chosen = [*_chosen(options.opponents)]
    if options.piped:
        os.nice(NICE)
    url, node_url = _urls(settings, options.url)
    journal = _journal(settings)
    async with (
        contextlib.aclosing(Gateway(url)) as gateway,
        contextlib.aclosing(Node(node_url or gateway.rpc_url)) as node,
    ):
        source = await _funds_source(settings, options, gateway, node, journal, has_node=node_url is not None)
        pool = ThinkingPool(max(1, min(MAX_WORKERS, (os.cpu_count() or 2) - 1)))
        secrets = SecretFiles(settings.secrets, lambda path, content: write_atomically(path, content, private=True))
        funds = Funds(node.request, source)
        allowed = None if isinstance(source, FaucetFunds) else _contracts(settings, options)
        heads = Wakeup()
        runner = OpponentsRunner(gateway, pool, secrets, funds, settings.opponents, allowed, heads.notify)
        prefix = "" if isinstance(source, FaucetFunds) else FUNDED
        for slug, opponent, number in chosen:
            key = load_or_create(settings.keys, prefix + _role(slug, opponent, number))
            runner.add(Player(runner.shared, slug, opponent, key, TransactionManager(node.request, key, journal)))
        try:
            async with asyncio.TaskGroup() as group:
                jobs = [group.create_task(runner.run())]
                if options.keeper:
                    key = load_or_create(settings.keys, prefix + "keeper")
                    manager = TransactionManager(node.request, key, journal)
                    keeper = Keeper(gateway, manager, GAMES, partial(funds.has, key.address), allowed=allowed)
                    jobs.append(group.create_task(keeper.run(heads)))
                if options.piped:
                    await pipe.serve(runner, sys.stdin.buffer, sys.stdout.buffer)
                    for job in jobs:
                        job.cancel()
                else:
                    _print_accounts(runner, url)
        finally:
            await asyncio.to_thread(pool.close)


class _Printable(logging.Formatter):
    """A formatter that escapes control characters. Without it, text that comes from gateways and
    files could control the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return f"chainboard bots: {printable(super().format(record))}"


def _log_to_terminal(level: int) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable())
    logging.basicConfig(level=level, handlers=[handler])


def _journal(settings: Settings) -> Journal:
    """Open the journal as a file that only its owner can read. It contains secrets that haven't
    been revealed on the chain yet. Raises UserError if it can't be opened."""
    try:
        settings.secrets.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        os.close(os.open(settings.opponents_journal, os.O_CREAT | os.O_WRONLY, PRIVATE))
        return Journal(settings.opponents_journal)
    except (JournalError, OSError) as error:
        raise UserError(f"the computer players' journal can't be opened: {error}") from error


def _chosen(names: Sequence[str]) -> Iterator[tuple[str, Opponent, int]]:
    """For each account, yield the game, the computer player, and the number of the account. Raises
    UserError if a name isn't that of a computer player."""
    for text in names or [f"{slug}:{name}" for slug, found in OPPONENTS.items() for name in found.strengths]:
        slug, _, name = text.partition(":")
        if slug not in GAMES or not name:
            raise UserError(
                f"{text!r} is not a computer player: use GAME:NAME or GAME:FILE.py. The games are {', '.join(GAMES)}"
            )
        try:
            opponent = find(GAMES[slug], name)
        except BadOpponents as error:
            raise UserError(str(error)) from error
        for number in range(1, opponent.opponents.accounts + 1):
            yield slug, opponent, number


def _role(slug: str, opponent: Opponent, number: int) -> str:
    """Return the name under which an account's key is stored."""
    file = "" if opponent.name == opponent.strength else f"{Path(opponent.name.rpartition('.py')[0]).name}-"
    return f"opponent-{slug}-{file}{opponent.strength}-{number}"


def _urls(settings: Settings, url: str | None) -> tuple[str, str | None]:
    """Return the URLs of the gateway and of a node. If the node's URL is None, transactions are
    sent through the gateway."""
    if url is not None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UserError(f"--url {url!r} is not a gateway's URL: use a URL such as http://127.0.0.1:8000")
        return url, settings.rpc[0] if settings.rpc else None
    running = read_json(settings.running) or {}
    if "page" not in running:
        raise UserError(f"`chainboard up` isn't running in {settings.data}: start it, or choose a gateway with --url")
    return running["page"], settings.rpc[0] if settings.rpc else running["node"]


async def _funds_source(
    settings: Settings, options: BotOptions, gateway: Gateway, node: Node, journal: Journal, has_node: bool
) -> FundsSource:
    """Return the source of the accounts' ether. Raises UserError if there is none."""
    try:
        health = await gateway.get("/health")
    except GatewayError as error:
        raise UserError(str(error)) from error
    signer = named_signer("OPPONENTS")
    if signer is None:
        if health["development"]:
            return FaucetFunds(gateway)
        raise UserError(
            "this is not a development chain, so you pay for the computer players: set "
            "CHAINBOARD_OPPONENTS_KEYSTORE to your account's keystore file, and add a --budget"
        )
    if not options.budget:
        raise UserError("add a --budget: the maximum ether per day that your account gives to computer players")
    if not has_node:
        raise UserError(
            "choose a node with --rpc, because your account sends ether to the computer players and gateways don't "
            "forward these transfers"
        )
    manager = TransactionManager(node.request, signer, journal)
    chain = await node.chain()
    name, oracle = f"{chain.chain_id}:{chain.genesis}", L1FeeOracle(node.request)
    keeper = load_or_create(settings.keys, FUNDED + "keeper").address if options.keeper else ""
    return BudgetFunds(manager, journal, name, options.budget, options.stake, oracle, keeper)


def _contracts(settings: Settings, options: BotOptions) -> frozenset[str]:
    """Return the contracts that the accounts may call. Raises UserError if there are none. The
    gateway's list isn't used, because a gateway must not decide which contracts get the operator's
    ether."""
    own = known_deployments(settings) if settings.manifest.exists() else []
    found = frozenset(options.contracts) | {one.address for one in own}
    if not found:
        raise UserError(
            f"{settings.data} has no contracts: list them with --contract, or choose the --data folder from which they "
            "were deployed. A gateway can't choose them, because your account pays for the calls"
        )
    return found


def _print_accounts(runner: OpponentsRunner, url: str) -> None:
    for one in runner.opponents():
        console.print(f"{one.game}: {printable(one.name)} plays as {', '.join(one.accounts)}", highlight=False)
    console.print(f"Playing at {printable(url)}; press Ctrl-C to stop", highlight=False)
