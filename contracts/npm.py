"""Finds the programs that npm packages contain.

The packages can be in the checkout, in the current folder, next to a tool on the PATH, or in npm's
global folder.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def node_modules_folders(tool: str) -> Iterator[Path]:
    """Yield the `node_modules` folders that can contain a tool's platform package, nearest first.

    Some of the folders might not exist."""
    yield Path(__file__).parent.parent / "node_modules"
    yield Path.cwd() / "node_modules"
    wrapper = shutil.which(tool)
    if wrapper is not None:  # npm puts the wrapper and the platform package into one folder
        yield from (parent for parent in Path(wrapper).resolve().parents if parent.name == "node_modules")
    npm = shutil.which("npm")
    if npm is not None:
        answer = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, timeout=30, check=False)
        yield Path(answer.stdout.strip() or "node_modules")


def find_binary(tool: str, *patterns: str) -> Path | None:
    """Return a tool's platform binary, or else the tool on the PATH, or None if there is none.

    `patterns` are globs for the binary, relative to a `node_modules` folder."""
    for folder in node_modules_folders(tool):
        for found in (found for pattern in patterns for found in sorted(folder.glob(pattern)) if found.is_file()):
            return found
    on_path = shutil.which(tool)
    return Path(on_path) if on_path is not None else None


def platform_name(x64: str) -> str:
    """Return this machine's platform name, which is part of the names of platform packages.

    `x64` is the packages' name for x86-64."""
    machine = {"x86_64": x64, "AMD64": x64, "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return f"{sys.platform}-{machine.lower()}"
