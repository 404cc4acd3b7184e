"""The console of the commands: standard error, where they print what is not their answer."""

from __future__ import annotations

from rich.console import Console

console = Console(stderr=True)
