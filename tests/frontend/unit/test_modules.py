"""The page's pure modules, tested by Node's own runner; and what it ships of others."""

import filecmp
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "frontend-static"
NODE = shutil.which("node") or "node"
MODULES = sorted(Path(__file__).parent.rglob("*.test.mjs"))


def test_modules() -> None:
    """All in one run, which tells what failed; one file by hand: `node --test <file>`."""
    command = [NODE, "--test", "--test-reporter", "spec", *map(str, MODULES)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr


def test_ethers_is_the_locked_one() -> None:
    package = ROOT / "node_modules" / "ethers"
    assert filecmp.cmp(PAGE / "vendor" / "ethers.min.js", package / "dist" / "ethers.min.js", shallow=False)
    assert filecmp.cmp(PAGE / "vendor" / "ethers.LICENSE.md", package / "LICENSE.md", shallow=False)


def test_nothing_is_inline_or_from_elsewhere() -> None:
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:|//", html)
    assert not re.search(r"@import|url\(", (PAGE / "style.css").read_text())


def test_data_never_become_markup() -> None:
    own = [path for path in PAGE.rglob("*.js") if "vendor" not in path.parts]
    found = [
        path.name
        for path in own
        if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text())
    ]
    assert len(own) > 20
    assert found == []
