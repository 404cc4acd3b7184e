"""The options that commands share. They are the fields of Settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

from chainboard.settings import Settings

OPTIONS = get_type_hints(Settings, include_extras=True)
MULTIPLE_OPTIONS = {one.name for one in fields(Settings) if one.default == ()}
"""The options that may be repeated."""


def with_settings(*options: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace a command's parameter `settings` with these options for Typer. When the command is
    called, build Settings from the values of the options."""
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
    if name in MULTIPLE_OPTIONS:  # Typer's type for repeated options
        annotation, default = Annotated[list[str] | None, *annotation.__metadata__], None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
