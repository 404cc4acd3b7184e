"""Our defences, by name, and how each is switched off: the kit must fail without any one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

DEFENCES: Mapping[str, Callable[[], None]] = {}
"""Each patches the modules of the process that it runs in."""
