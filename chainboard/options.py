"""The options of commands. Options that several commands share are the fields of Settings. This
module contains long definitions of options that only one command has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

from chainboard.settings import Settings, parse_address

OPTIONS = get_type_hints(Settings, include_extras=True)
MULTIPLE_OPTIONS = {one.name for one in fields(Settings) if one.default == ()}
"""The names of the options that can be given several times."""

MatchOrFile = Annotated[
    str, typer.Argument(metavar="GAME/ID|FILE", help="A match such as tic-tac-toe/7, or a replay file.")
]
AtEvent = Annotated[
    int | None,
    typer.Option(
        metavar="SEQ",
        help="Number of the event at which playback starts (default: 1), or of the last event in a picture (default: "
        "the match's last).",
    ),
]
ExportFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File to write. Its suffix selects the format: .json .html .svg .png .gif .webp",
    ),
]
Theme = Annotated[
    Literal["light", "dark"] | None,
    typer.Option(help="Colours of the board. Default: light in pictures, dark in the terminal."),
]
StepSize = Annotated[
    Literal["tx", "event"], typer.Option(help="Size of a step: all events of a transaction, or one event.")
]
MatchOrFileOrAll = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME/ID|FILE]",
        help="A match such as tic-tac-toe/7, or a replay file. Default: the whole database.",
    ),
]
FirstPlayer = Annotated[
    str, typer.Argument(metavar="A", help="First player: a built-in name, random, or FILE.py[:NAME].")
]
SecondPlayer = Annotated[
    str, typer.Argument(metavar="B", help="Second player, in the same form. It can be the same as A.")
]
ComputerPlayers = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME:NAME|GAME:FILE.py]...", help="Computer players to run. Default: all built-in ones."),
]
Contracts = Annotated[
    list[str] | None,
    typer.Option(
        "--contract",
        parser=parse_address,
        metavar="ADDRESS",
        help="Contract on which the bots may spend your ether, besides those in the data folder. Can be repeated.",
    ),
]
Budget = Annotated[
    float,
    typer.Option(
        min=0, help="Maximum ether per day from your account for the computer players, if there is no faucet."
    ),
]
PerAddress = Annotated[
    float | None, typer.Option(min=0, help="Maximum ether per day for an address. Default: a tenth of the total.")
]
PerNetwork = Annotated[
    float | None,
    typer.Option(min=0, help="Maximum ether per day for an IPv4 address or IPv6 /64. Default: a quarter of the total."),
]
NameAction = Annotated[
    Literal["list", "remove", "block", "unblock", "blocked"],
    typer.Argument(
        metavar="ACTION",
        help="list, remove (also blocks the name), block, unblock, or blocked (lists the blocked words).",
    ),
]
NameOrWord = Annotated[
    str,
    typer.Argument(metavar="[NAME|ADDRESS|WORD]", help="Nickname or address to remove, or word to block or unblock."),
]


def with_settings(*options: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace a command's parameter `settings` by one parameter per shared option, as Typer needs
    it. When the command is called, build Settings from their values."""
    shared = [_parameter(name) for name in options]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            values = {name: arguments.pop(name) for name in options}
            several = {name: tuple(value or ()) for name, value in values.items() if name in MULTIPLE_OPTIONS}
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
    annotation, default = OPTIONS[name], Settings.__dataclass_fields__[name].default
    if name in MULTIPLE_OPTIONS:  # Typer needs a list type for repeated options
        annotation, default = Annotated[list[str] | None, *annotation.__metadata__], None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
