"""Bundles the page's modules with esbuild: as the page's script, or to be inlined in an HTML file."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path

from contracts import npm

OPTIONS = ("--bundle", "--target=es2022", "--charset=utf8", "--log-level=error")
SECONDS = 60
MARK = b"//# sourceMappingURL="


class BundleError(Exception):
    """The page's modules can't be bundled; the text says why in a sentence."""


def esbuild() -> Path:
    """The platform binary: from npm here or globally, else from the PATH. Raises BundleError."""
    name = "esbuild.exe" if sys.platform == "win32" else "bin/esbuild"
    package = f"@esbuild/{npm.platform_name('x64')}/{name}"
    found = npm.binary("esbuild", package, f"esbuild/node_modules/{package}")
    if found is not None:
        return found
    raise BundleError(
        "esbuild is not here, which packs the page's modules, also for a replay as HTML: install Node >= 20 and run "
        "`npm install -g esbuild`; a replay as `.json`, `.svg` and the other endings does without it"
    )


def bundle_inline(top: Path, entry: str) -> str:
    """Bundles the text of a module in the folder `top` to one minified script, fit for a script element. Raises
    BundleError."""
    return _run(top, ["--minify", "--format=iife"], entry.encode()).decode("utf-8").strip()


def bundle_module(top: Path, name: str) -> Mapping[str, bytes]:
    """Bundles this module of the folder `top` with all that it imports, and its source map, by name. Names and lines
    stay as they are written, so that what runs can be read. Raises BundleError."""
    script, separator, encoded = _run(top, ["--format=esm", "--sourcemap=inline", name]).rpartition(MARK)
    return {name: script + separator + f"{name}.map\n".encode(), f"{name}.map": b64decode(encoded.partition(b",")[2])}


def _run(top: Path, arguments: list[str], stdin: bytes = b"") -> bytes:
    try:
        command = [str(esbuild()), *OPTIONS, *arguments]
        done = subprocess.run(command, cwd=top, input=stdin, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BundleError(f"esbuild does not run: {error}") from None
    if done.returncode != 0:
        raise BundleError(f"esbuild can't pack the page: {done.stderr.decode('utf-8', 'replace').strip()[:400]}")
    return done.stdout
