"""The options that commands share: flag, CHAINBOARD_* variable, help. Their defaults are those of Settings."""

from __future__ import annotations

import inspect
import ipaddress
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from chainboard.settings import Settings
from indexer.gamekit import names


def parse_address(text: str) -> str:
    """For Typer."""
    try:
        return names.parse_address(text)
    except names.BadName as error:
        raise typer.BadParameter(str(error)) from error


def _proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no IP address, nor a network like 10.0.0.0/8") from None


OPTIONS: dict[str, Any] = {
    "data": Annotated[
        Path, typer.Option(envvar="CHAINBOARD_DATA", help="Folder of the chain, the index and the manifest.")
    ],
    "database": Annotated[
        str | None,
        typer.Option(envvar="CHAINBOARD_DATABASE", help="Database URL; SQLite in the data folder otherwise."),
    ],
    "rpc": Annotated[
        list[str] | None,
        typer.Option(
            envvar="CHAINBOARD_RPC",
            metavar="URL",
            help="A node that is there; else Anvil is started. Several of one chain: the next is asked when one fails.",
        ),
    ],
    "dev": Annotated[
        bool, typer.Option("--dev", envvar="CHAINBOARD_DEV", help="The --rpc chain is a development chain.")
    ],
    "host": Annotated[str, typer.Option(envvar="CHAINBOARD_HOST", help="Address to serve at.")],
    "port": Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_PORT",
            min=0,
            max=65535,
            help="Port to serve at; 8000, or a free one if in use. 0: a free one.",
        ),
    ],
    "block_time": Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_BLOCK_TIME", min=0, max=3600, help="Seconds a block; 0: one for each transaction."
        ),
    ],
    "tokens": Annotated[
        list[str] | None,
        typer.Option(
            "--token",
            envvar="CHAINBOARD_TOKENS",
            parser=parse_address,
            metavar="ADDRESS",
            help="A token that players may stake though no match uses it yet; may be repeated.",
        ),
    ],
    "rpc_timeout": Annotated[
        float,
        typer.Option(envvar="CHAINBOARD_RPC_TIMEOUT", min=0.1, max=600, help="Seconds that a node may take to answer."),
    ],
    "connections": Annotated[
        int | None,
        typer.Option(
            envvar="CHAINBOARD_CONNECTIONS",
            min=1,
            max=1_000_000,
            help="Connections of one address at a time; 100, and for this machine's own any number, unless given.",
        ),
    ],
    "proxies": Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            envvar="CHAINBOARD_PROXY",
            parser=_proxy,
            metavar="ADDRESS",
            help="A proxy in front, which may tell whom it stands for (X-Forwarded-For, -Proto); may be repeated.",
        ),
    ],
    "opponents": Annotated[
        int,
        typer.Option(
            envvar="CHAINBOARD_OPPONENTS",
            min=0,
            max=10_000,
            help="Matches that the computer plays at once; 0: none, and nobody claims what has run out.",
        ),
    ],
}


SEVERAL = {name for name, one in Settings.__dataclass_fields__.items() if one.default == ()}
"""Those that may be repeated."""


def with_settings(*options: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replaces a command's parameter `settings` by these options for Typer, and builds Settings from their values."""
    shared = [_parameter(name) for name in options]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            values = {name: arguments.pop(name) for name in options}
            several = {name: tuple(value or ()) for name, value in values.items() if name in SEVERAL}
            command(settings=Settings(**values | several), **arguments)

        signature = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            parameters += shared if one.name == "settings" else [one.replace(kind=one.KEYWORD_ONLY)]
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def _parameter(name: str) -> inspect.Parameter:
    default = Settings.__dataclass_fields__[name].default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None if name in SEVERAL else default, annotation=OPTIONS[name]
    )
