"""The settings that commands share, and the paths in the data folder."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from api.chain.coin import Coin, parse_amount, parse_rate, parse_symbol
from api.net.origin import parse_site
from indexer.gamekit import names

DEFAULT_PORT = 8000
RPC_SECONDS = 20.0
NO_WEBSOCKET = "none"


def _reported(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    def parsed(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


parse_address = _reported(names.parse_address)
_rate = _reported(lambda text: parse_rate(text) and text)


def _proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no IP address, nor a network like 10.0.0.0/8") from None


def _public_url(text: str) -> str:
    found = parse_site(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is no site's address, such as https://example.org/games, or without a path")
    return str(found)


def _websocket_url(text: str) -> str:
    with suppress(ValueError):
        parts = urlsplit(text)
        if text == NO_WEBSOCKET or (parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0):
            return text
    raise typer.BadParameter(f"{text!r} is no websocket's address, such as wss://node.example, nor {NO_WEBSOCKET!r}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What flags and CHAINBOARD_* variables say, each with its option. Times are in seconds; no `rpc` means the
    embedded Anvil."""

    data: Annotated[
        Path, typer.Option(envvar="CHAINBOARD_DATA", help="Folder of the chain, the index and the manifest.")
    ] = Path(".chainboard")
    database: Annotated[
        str | None,
        typer.Option(envvar="CHAINBOARD_DATABASE", help="Database URL; SQLite in the data folder otherwise."),
    ] = None
    rpc: Annotated[
        tuple[str, ...],
        typer.Option(
            envvar="CHAINBOARD_RPC",
            metavar="URL",
            help="A node that is there; else Anvil is started. Several of one chain: the next is asked when one fails.",
        ),
    ] = ()
    dev: Annotated[
        bool, typer.Option("--dev", envvar="CHAINBOARD_DEV", help="The --rpc chain is a development chain.")
    ] = False
    host: Annotated[str, typer.Option(envvar="CHAINBOARD_HOST", help="Address to serve at.")] = "127.0.0.1"
    port: Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_PORT",
            min=0,
            max=65535,
            help="Port to serve at; 8000, or a free one if in use. 0: a free one.",
        ),
    ] = None
    block_time: Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_BLOCK_TIME", min=0, max=3600, help="Seconds a block; 0: one for each transaction."
        ),
    ] = 0
    tokens: Annotated[
        tuple[str, ...],
        typer.Option(
            "--token",
            envvar="CHAINBOARD_TOKENS",
            parser=parse_address,
            metavar="ADDRESS",
            help="A token that players may stake though no match uses it yet; may be repeated.",
        ),
    ] = ()
    rpc_timeout: Annotated[
        float,
        typer.Option(envvar="CHAINBOARD_RPC_TIMEOUT", min=0.1, max=600, help="Seconds that a node may take to answer."),
    ] = RPC_SECONDS
    rpc_rate: Annotated[
        float | None,
        typer.Option(
            envvar="CHAINBOARD_RPC_RATE",
            min=0.1,
            max=1_000_000,
            help="Calls a second that each --rpc may be sent; else its refusals tell.",
        ),
    ] = None
    rpc_ws: Annotated[
        tuple[str, ...],
        typer.Option(
            envvar="CHAINBOARD_RPC_WS",
            parser=_websocket_url,
            metavar="URL",
            help="Websocket of new blocks, one for each --rpc in order, or none; else it is at the same address.",
        ),
    ] = ()
    connections: Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_CONNECTIONS",
            min=1,
            max=1_000_000,
            help="Connections of one address at a time; 100, and for this machine's own any number, unless given.",
        ),
    ] = None
    proxies: Annotated[
        tuple[str, ...],
        typer.Option(
            "--proxy",
            envvar="CHAINBOARD_PROXY",
            parser=_proxy,
            metavar="ADDRESS",
            help="A proxy in front, which may tell whom it stands for (X-Forwarded-For, -Proto); may be repeated.",
        ),
    ] = ()
    limits: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_LIMITS",
            metavar="URL",
            help="A Redis in which several gateways count together how often each address asks; else each for itself.",
        ),
    ] = None
    public_url: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_PUBLIC_URL",
            parser=_public_url,
            metavar="URL",
            help="Where browsers find us, as https://play.example.org, if a proxy is in front; --host only binds then.",
        ),
    ] = None
    max_lag: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_MAX_LAG",
            min=0,
            help="Seconds that the index may be behind the node before /api/ready says 503.",
        ),
    ] = 60
    drain: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_DRAIN",
            min=0,
            max=3600,
            help="Seconds that it goes on answering after SIGTERM, /api/ready being 503, so that balancers notice.",
        ),
    ] = 2
    opponents: Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_OPPONENTS",
            min=0,
            max=10_000,
            help="Matches that the computer plays at once; 0: none, and nobody claims what has run out.",
        ),
    ] = 50

    coin: Annotated[
        str,
        typer.Option(
            envvar="CHAINBOARD_COIN",
            parser=_reported(parse_symbol),
            metavar="NAME",
            help="What the chain calls its coin.",
        ),
    ] = "ETH"
    rate: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_RATE",
            parser=_rate,
            metavar="CURRENCY:PRICE",
            help="What one coin is worth, such as EUR:2500: the page tells what a move costs in money, too.",
        ),
    ] = None
    tell_costs_above: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_TELL_COSTS_ABOVE",
            parser=_reported(parse_amount),
            metavar="AMOUNT",
            help="The page shows no cost below this amount of the money of --rate. Without --rate it shows all costs.",
        ),
    ] = 0.01

    @property
    def coin_value(self) -> Coin:
        """The coin with its rate."""
        return Coin(self.coin, parse_rate(self.rate) if self.rate else None, self.tell_costs_above)

    @property
    def database_url(self) -> str:
        """SQLAlchemy's URL of the database; the data folder's SQLite file unless one is set."""
        return self.database or f"sqlite:///{self.data / 'index.db'}"

    @property
    def database_file(self) -> Path | None:
        """The SQLite file; None for a database server."""
        from indexer.store.db.engine import sqlite_file  # SQLAlchemy, which most commands don't need to start

        return sqlite_file(self.database_url)

    @property
    def manifest(self) -> Path:
        return self.data / "deployment.json"

    @property
    def verification(self) -> Path:
        """What proves to others of which sources the contracts are made."""
        return self.data / "verification"

    @property
    def journal(self) -> Path:
        """The faucet's transactions."""
        return self.data / "transactions.db"

    @property
    def providers(self) -> Path:
        """What is known of the limits of nodes that are there."""
        return self.data / "providers.json"

    @property
    def keys(self) -> Path:
        """Of a development chain's deployer and faucet, and of opponents."""
        return self.data / "keys"

    @property
    def opponents_journal(self) -> Path:
        """The transactions of opponents and of the keeper."""
        return self.data / "opponents.db"

    @property
    def sponsor_ledger(self) -> Path:
        """What the sponsor has granted; its transactions are in `sponsor_journal`."""
        return self.data / "sponsor.db"

    @property
    def sponsor_journal(self) -> Path:
        return self.data / "sponsor-transactions.db"

    @property
    def sponsor_socket(self) -> Path:
        """Where gateways of this folder find the sponsor."""
        return self.data / "sponsor.sock"

    @property
    def secrets(self) -> Path:
        """What opponents alone know, such as their fleets."""
        return self.data / "secrets"

    @property
    def chain(self) -> Path:
        """The embedded chain's folder."""
        return self.data / "chain"

    @property
    def running(self) -> Path:
        """Tells readers where the `up` of this folder is: node and page."""
        return self.data / "running.json"

    @property
    def development(self) -> bool:
        """Faucet, development accounts, mining on need: the embedded chain or a declared one; no id says so."""
        return not self.rpc or self.dev
