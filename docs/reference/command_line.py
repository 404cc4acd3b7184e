"""Reference pages of the command line and its settings, from Typer's command tree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import typer

from chainboard.chain import signer_keys
from chainboard.cli import app
from docs.reference.markdown import code, page, table

EXITS = """Exit codes: 0 success, 1 failure with a message, 2 wrong usage. Options of several
commands are on the page [Settings](settings.md)."""

SETTINGS = """Each setting is a flag or an environment variable; the flag wins. To give several
values, repeat the flag or separate them by spaces in the variable."""

KEYS = """
Keys come only from the environment, because other users can read command lines. On a
development chain you need none: Chainboard creates random keys in `keys/` of the data folder,
readable only by you. `reset` keeps them.
"""

VALUES = {str: "TEXT", int: "INTEGER", float: "NUMBER", Path: "PATH"}
ROLES = {
    "DEPLOYER": "that deploys the contracts",
    "FAUCET": "that the faucet pays from",
    "OPPONENTS": "that funds the computer players",
    "SPONSOR": "that the sponsor pays from",
}
SECRETS = {
    "KEYSTORE": "keystore file of the account {does}",
    "PASSWORD": "password of that file; if it is not set, Chainboard asks for it in the terminal",
    "KEY": "private key of that account, instead of a keystore",
}


def commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def cli() -> str:
    text = page("The command line", EXITS)
    for name, command in commands().items():
        options = [one for one in command.params if one.param_type_name == "option"]
        arguments = {one.metavar: one for one in command.params if one not in options}
        usage = " ".join(["chainboard", name, *arguments])
        text += f"\n## `{usage}`\n\n{' '.join(command.help.split())}\n"
        own = [(code(named), "", one.help or "") for named, one in arguments.items()]
        text += table(("", "default", ""), own + [_row(one) for one in options if not one.envvar])
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
    text = page("Settings", SETTINGS) + table(("flag", "variable", "default", "", "commands"), rows) + KEYS
    source = Path(signer_keys.__file__).read_text("utf-8")
    endings = sorted(set(re.findall(r"CHAINBOARD_\{role\}_([A-Z]+)", source)), key=list(SECRETS).index)
    return text + table(
        ("variable", ""),
        [
            (code(f"CHAINBOARD_{role}_{end}"), SECRETS[end].format(does=does))
            for role, does in ROLES.items()
            for end in endings
        ],
    )


def _row(option: Any) -> tuple[str, str, str]:
    """The option with its argument, its default and its help."""
    flag = option.opts[0]
    if option.is_flag:
        return code(flag), "off", option.help
    kind = option.type_descriptor.annotation
    takes = option.metavar or "|".join(get_args(kind)) or VALUES[kind]
    return code(f"{flag} {takes}"), "" if option.default is None else code(option.default), option.help
