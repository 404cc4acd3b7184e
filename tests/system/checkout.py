"""Makes copies of the repository to which tests can add a game or a changed contract."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
RULES = "contracts/src/games/tic_tac_toe/TicTacToe.sol"
CONSTRUCTOR = "    constructor(ISessions sessions"
ADDED = """    /// @notice Which version of the rules this is.
    function version() external pure returns (uint8) {
        return 2;
    }

"""


def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    return [name for name in subprocess.check_output(command, cwd=TOP, text=True).split("\0") if name]


def make_checkout(folder: Path) -> Path:
    """Copy the repository's tracked files, except the screenshots, to a subfolder of this folder.
    Return the path of the copy."""
    copy = folder / "chainboard"
    for name in tracked():
        if (TOP / name).is_file() and not name.startswith("docs/screenshots/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, copy / name)
    (copy / "node_modules").symlink_to(TOP / "node_modules")
    return copy


def make_newer_checkout(folder: Path) -> Path:
    """Copy the repository into this folder. In the copy, add a function to the Tic-tac-toe
    contract, and compile it. Return the copy's folder."""
    checkout = make_checkout(folder)
    rules = checkout / RULES
    text = rules.read_text("utf-8")
    assert text.count(CONSTRUCTOR) == 1
    rules.write_text(text.replace(CONSTRUCTOR, ADDED + CONSTRUCTOR), "utf-8")
    built = run_in(checkout, "chainboard", "build")
    assert built.stdout == "Compiled: TicTacToe\n", built.stderr
    return checkout


def run_in(checkout: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module of the copied repository, in the copy's folder."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def added(checkout: Path) -> list[str]:
    """Return the tracked files whose copies in the checkout have been changed."""
    return [name for name in tracked() if _differs(checkout, name)]


def _differs(checkout: Path, name: str) -> bool:
    copy = checkout / name
    return copy.is_file() and copy.read_bytes() != (TOP / name).read_bytes()
