"""Tests that a command imports only the modules that it needs. Imports take most of a short
command's time."""

from __future__ import annotations

import subprocess
import sys

import pytest

SLOW = ("aiohttp", "alembic", "eth_account", "eth_utils", "fastapi", "PIL", "pydantic", "rich", "sqlalchemy", "web3")


@pytest.mark.parametrize(
    ("module", "needed"),
    [
        ("chainboard.cli", ()),
        ("chainboard.settings", ()),
        ("chainboard.commands.arena", ("eth_utils", "pydantic", "rich")),
        ("chainboard.commands.sql", ("eth_utils", "pydantic", "rich", "sqlalchemy")),
        ("chainboard.commands.deploy", ("aiohttp", "eth_account", "eth_utils", "pydantic", "rich", "web3")),
        (
            "chainboard.commands.index",
            ("aiohttp", "eth_account", "eth_utils", "pydantic", "rich", "sqlalchemy", "web3"),
        ),
    ],
)
def test_a_command_imports_only_what_it_needs(module: str, needed: tuple[str, ...]) -> None:
    program = f"import sys, {module}; print(*(one for one in {SLOW!r} if one in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= set(needed)
