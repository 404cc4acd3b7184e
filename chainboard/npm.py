"""Where npm's packages are: in the checkout, in the folder one stands in, beside a tool on the PATH, or global."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path


def folders(tool: str) -> Iterator[Path]:
    """The `node_modules` folders where a tool's platform package may be, the nearest first; they need not exist."""
    yield Path(__file__).parent.parent / "node_modules"
    yield Path.cwd() / "node_modules"
    wrapper = shutil.which(tool)
    if wrapper is not None:  # npm's wrapper lies beside the platform package
        yield from (parent for parent in Path(wrapper).resolve().parents if parent.name == "node_modules")
    npm = shutil.which("npm")
    if npm is not None:
        answer = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, timeout=30, check=False)
        yield Path(answer.stdout.strip() or "node_modules")
