"""Generates the reference pages for the command line and for the program's settings from Typer's
command tree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import typer

from chainboard.chain import signer_keys
from chainboard.cli import app
from docs.reference.markdown import code, page, table

EXIT_CODES = """The exit code is 0 for success, 1 for a failure with a message, and 2 for wrong usage. The page
[Settings](settings.md) describes the options that several commands share."""

SETTINGS = """You can set each setting with a flag or an environment variable. If you use both, the flag takes
precedence. To give several values, repeat the flag, or separate the values by spaces in the
variable."""

KEYS = """
Chainboard reads keys only from the environment, because other users can read command lines. On a
development chain, you don't need to set any keys. Chainboard creates random keys in the folder
`keys/` of the data folder, which only you can read. `reset` keeps these keys.
"""

MAX_LISTED = 1_000_000
"""The largest upper limit that the reference page shows for an option."""
VALUES = {str: "TEXT", int: "INTEGER", float: "NUMBER", Path: "PATH"}
ROLES = {
    "DEPLOYER": "that deploys the contracts",
    "FAUCET": "from which the faucet pays",
    "OPPONENTS": "that funds the computer players",
    "SPONSOR": "from which the sponsor pays",
}
SECRETS = {
    "KEYSTORE": "The keystore file of the account {does}.",
    "PASSWORD": "The password for that file. If it isn't set, Chainboard asks for it in the terminal.",
    "KEY": "The private key of that account. Use it instead of a keystore.",
}


def commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def cli() -> str:
    text = page("The command line", EXIT_CODES)
    for name, command in commands().items():
        options = [one for one in command.params if one.param_type_name == "option"]
        arguments = {one.metavar: one for one in command.params if one not in options}
        usage = " ".join(["chainboard", name, *arguments])
        text += f"\n## `{usage}`\n\n{' '.join(command.help.split())}\n"
        own = [(code(named), "", one.help or "") for named, one in arguments.items()]
        text += table(
            ("argument or option", "default", "meaning"), own + [_row(one) for one in options if not one.envvar]
        )
        if shared := [code(one.opts[0]) for one in options if one.envvar]:
            text += f"\nSettings: {', '.join(shared)}.\n"
    return text


def settings() -> str:
    found: dict[str, tuple[Any, list[str]]] = {}
    for name, command in commands().items():
        for option in command.params:
            if option.envvar:
                found.setdefault(option.opts[0], (option, []))[1].append(name)
    rows = []
    for option, names in found.values():
        flag, default, about = _row(option)
        rows.append((flag, code(option.envvar), default, about, ", ".join(names)))
    text = page("Settings", SETTINGS) + table(("flag", "variable", "default", "meaning", "commands"), rows) + KEYS
    source = Path(signer_keys.__file__).read_text("utf-8")
    endings = sorted(set(re.findall(r"CHAINBOARD_\{role\}_([A-Z]+)", source)), key=list(SECRETS).index)
    return text + table(
        ("variable", "meaning"),
        [
            (code(f"CHAINBOARD_{role}_{end}"), SECRETS[end].format(does=does))
            for role, does in ROLES.items()
            for end in endings
        ],
    )


def _row(option: Any) -> tuple[str, str, str]:
    """Return an option's entry on the page: its argument, its default and its help text."""
    flag = option.opts[0]
    if option.is_flag:
        flag = "/".join((flag, *option.secondary_opts))
        return code(flag), "on" if option.default else "off", option.help
    kind = option.type_descriptor.annotation
    takes = option.metavar or "|".join(get_args(kind)) or VALUES[kind]
    default = "" if option.default is None else code(option.default)
    return code(f"{flag} {takes}"), default, option.help + _range(option)


def _range(option: Any) -> str:
    """Return a sentence about the range of a number option, if its upper limit is short enough to
    show."""
    lowest, highest = option.min, option.max
    return "" if lowest is None or highest is None or highest > MAX_LISTED else f" Range: {lowest:g} to {highest:,}."
