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


def _as_parameter_error(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    def parsed(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


parse_address = _as_parameter_error(names.parse_address)
_rate = _as_parameter_error(lambda text: parse_rate(text) and text)


def _proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not an IP address or a network such as 10.0.0.0/8") from None


def _public_url(text: str) -> str:
    found = parse_site(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a site's URL such as https://example.org/games")
    return str(found)


def _websocket_url(text: str) -> str:
    with suppress(ValueError):
        parts = urlsplit(text)
        if text == NO_WEBSOCKET or (parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0):
            return text
    raise typer.BadParameter(f"{text!r} is neither a websocket URL such as wss://node.example nor {NO_WEBSOCKET!r}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The shared options, and the CHAINBOARD_* variables that set them. Times are in seconds. If
    `rpc` is empty, the embedded Anvil node is used."""

    data: Annotated[
        Path, typer.Option(envvar="CHAINBOARD_DATA", help="Folder for the chain, the index and the manifest.")
    ] = Path(".chainboard")
    database: Annotated[
        str | None, typer.Option(envvar="CHAINBOARD_DATABASE", help="Database URL. Default: SQLite in the data folder.")
    ] = None
    rpc: Annotated[
        tuple[str, ...],
        typer.Option(
            envvar="CHAINBOARD_RPC",
            metavar="URL",
            help="URL of an existing node. Repeat it to add fallback nodes. Default: start Anvil.",
        ),
    ] = ()
    dev: Annotated[
        bool, typer.Option("--dev", envvar="CHAINBOARD_DEV", help="Treat the --rpc chain as a development chain.")
    ] = False
    host: Annotated[str, typer.Option(envvar="CHAINBOARD_HOST", help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_PORT",
            min=0,
            max=65535,
            help="Port to listen on. 0 picks any free port. Default: 8000, or any free port if 8000 is in use.",
        ),
    ] = None
    block_time: Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_BLOCK_TIME",
            min=0,
            max=3600,
            help="Seconds between blocks. With 0, Anvil mines one block for each transaction.",
        ),
    ] = 0
    tokens: Annotated[
        tuple[str, ...],
        typer.Option(
            "--token",
            envvar="CHAINBOARD_TOKENS",
            parser=parse_address,
            metavar="ADDRESS",
            help="Token that players may stake, even if no match has used it yet. Can be repeated.",
        ),
    ] = ()
    rpc_timeout: Annotated[
        float,
        typer.Option(envvar="CHAINBOARD_RPC_TIMEOUT", min=0.1, max=600, help="Seconds to wait for a node's answer."),
    ] = RPC_SECONDS
    rpc_rate: Annotated[
        float | None,
        typer.Option(
            envvar="CHAINBOARD_RPC_RATE",
            min=0.1,
            max=1_000_000,
            help="Maximum calls per second to each --rpc node. Default: learned from the node's rejections.",
        ),
    ] = None
    rpc_ws: Annotated[
        tuple[str, ...],
        typer.Option(
            envvar="CHAINBOARD_RPC_WS",
            parser=_websocket_url,
            metavar="URL",
            help="Websocket URL for new blocks, or `none`. Repeat it for each --rpc, in order. Default: the --rpc URL.",
        ),
    ] = ()
    connections: Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_CONNECTIONS",
            min=1,
            max=1_000_000,
            help="Maximum number of connections per network address. Default: 100, but no limit for this machine.",
        ),
    ] = None
    proxies: Annotated[
        tuple[str, ...],
        typer.Option(
            "--proxy",
            envvar="CHAINBOARD_PROXY",
            parser=_proxy,
            metavar="ADDRESS",
            help="Address or network of a proxy whose X-Forwarded-* headers are trusted. Can be repeated.",
        ),
    ] = ()
    limits: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_LIMITS",
            metavar="URL",
            help="URL of a Redis server where gateways share rate limits. Default: each gateway has its own.",
        ),
    ] = None
    public_url: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_PUBLIC_URL",
            parser=_public_url,
            metavar="URL",
            help="URL, such as https://play.example.org, at which browsers reach the site through a proxy.",
        ),
    ] = None
    max_lag: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_MAX_LAG", min=0, help="Seconds of lag behind the node at which /api/ready returns 503."
        ),
    ] = 60
    drain: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_DRAIN",
            min=0,
            max=3600,
            help="Seconds to keep serving after SIGTERM while /api/ready returns 503, so that load balancers notice.",
        ),
    ] = 2
    opponents: Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_OPPONENTS",
            min=0,
            max=10_000,
            help="Maximum matches of computer players at a time. With 0, `up` runs no computer players or keeper.",
        ),
    ] = 50

    coin: Annotated[
        str,
        typer.Option(
            envvar="CHAINBOARD_COIN",
            parser=_as_parameter_error(parse_symbol),
            metavar="NAME",
            help="Symbol of the chain's coin, up to 11 characters.",
        ),
    ] = "ETH"
    rate: Annotated[
        str | None,
        typer.Option(
            envvar="CHAINBOARD_RATE",
            parser=_rate,
            metavar="CURRENCY:PRICE",
            help="Price of one coin, such as EUR:2500. The page then also shows costs in that currency.",
        ),
    ] = None
    tell_costs_above: Annotated[
        float,
        typer.Option(
            envvar="CHAINBOARD_TELL_COSTS_ABOVE",
            parser=_as_parameter_error(parse_amount),
            metavar="AMOUNT",
            help="Smallest cost that the page shows, in the currency of --rate. Without --rate, all costs are shown.",
        ),
    ] = 0.01

    @property
    def coin_value(self) -> Coin:
        """The coin's name, its exchange rate, and the smallest cost that the page shows."""
        return Coin(self.coin, parse_rate(self.rate) if self.rate else None, self.tell_costs_above)

    @property
    def database_url(self) -> str:
        """The database's SQLAlchemy URL. The default is a SQLite file in the data folder."""
        return self.database or f"sqlite:///{self.data / 'index.db'}"

    @property
    def database_file(self) -> Path | None:
        """The SQLite file, or None for a database server."""
        from indexer.store.db.engine import sqlite_file  # imports SQLAlchemy, which most commands don't need

        return sqlite_file(self.database_url)

    @property
    def manifest(self) -> Path:
        return self.data / "deployment.json"

    @property
    def verification(self) -> Path:
        """The folder of files that record from which sources the contracts were compiled."""
        return self.data / "verification"

    @property
    def journal(self) -> Path:
        """The journal of the transactions of deployments and of the faucet."""
        return self.data / "transactions.db"

    @property
    def providers(self) -> Path:
        """The file with the limits that the program has learned about node providers."""
        return self.data / "providers.json"

    @property
    def keys(self) -> Path:
        """The folder with the keys of the computer players and of development accounts."""
        return self.data / "keys"

    @property
    def opponents_journal(self) -> Path:
        """The journal of the transactions of computer players and the keeper."""
        return self.data / "opponents.db"

    @property
    def sponsor_ledger(self) -> Path:
        """The ledger of the sponsor's grants. Their transactions are in `sponsor_journal`."""
        return self.data / "sponsor.db"

    @property
    def sponsor_journal(self) -> Path:
        return self.data / "sponsor-transactions.db"

    @property
    def sponsor_socket(self) -> Path:
        """The socket on which this folder's gateways reach the sponsor."""
        return self.data / "sponsor.sock"

    @property
    def secrets(self) -> Path:
        """The folder of the computer players' secrets, such as their fleets."""
        return self.data / "secrets"

    @property
    def chain(self) -> Path:
        """The embedded chain's folder."""
        return self.data / "chain"

    @property
    def running(self) -> Path:
        """The file with the URLs of the node and the page while this folder's `up` is running."""
        return self.data / "running.json"

    @property
    def development(self) -> bool:
        """True if a faucet gives away ether: on the embedded chain or with --dev."""
        return not self.rpc or self.dev
