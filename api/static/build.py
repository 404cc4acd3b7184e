"""Runs `build.mjs`. This module uses only the standard library, because the build of a wheel also
runs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parent / "build.mjs"
BUILD_SECONDS = 120


class BuildError(Exception):
    """The page can't be built. The message contains the reason."""


def build(source: Path, target: Path, brotli_quality: str) -> None:
    """Build the page with Node and esbuild. `brotli_quality` is from 1 to 11. Raises BuildError if
    that fails."""
    node = shutil.which("node")
    if node is None:
        raise BuildError("Node is needed to build the page: install Node 20 or newer")
    command = [node, str(SCRIPT), str(source.resolve()), str(target), brotli_quality]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the page can't be built: {error}") from None
    if "ERR_MODULE_NOT_FOUND" in done.stderr:
        raise BuildError("esbuild is needed to build the page: run `npm install` in the checkout")
    if done.returncode != 0:
        raise BuildError(f"the page can't be built: {done.stderr.strip()[:400]}")
