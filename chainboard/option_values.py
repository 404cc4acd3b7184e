"""How the values of options are read from text; errors are Typer's."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

import typer

from api.chain.coin import BadCoin, parse_rate
from api.net.origin import parse_site
from indexer.gamekit import names

NO_WEBSOCKET = "none"
Value = TypeVar("Value")


def parse_address(text: str) -> str:
    try:
        return names.parse_address(text)
    except names.BadName as error:
        raise typer.BadParameter(str(error)) from error


def parse_proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no IP address, nor a network like 10.0.0.0/8") from None


def of_coin(parse: Callable[[str], Value]) -> Callable[[str], Value]:
    """Let Typer report what `parse` rejects."""

    def parsed(text: str) -> Value:
        try:
            return parse(text)
        except BadCoin as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


def rate(text: str) -> str:
    """The text itself, if it is a rate. Raises BadCoin."""
    parse_rate(text)
    return text


def parse_public_url(text: str) -> str:
    found = parse_site(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is no site's address, such as https://example.org/games, or without a path")
    return str(found)


def parse_websocket_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        if text == NO_WEBSOCKET or (parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0):
            return text
    except ValueError:
        pass
    raise typer.BadParameter(f"{text!r} is no websocket's address, such as wss://node.example, nor {NO_WEBSOCKET!r}")
