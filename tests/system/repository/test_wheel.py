"""Tests that `pip install` can install the program from an sdist, without Node. The installed
program must work outside the checkout, in an environment that has only the program's
dependencies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from chainboard.chain.anvil import binary
from contracts import artifacts
from tests.support.http import local
from tests.support.server import Server, node_url, open_first_match
from tests.support.waiting import PATIENCE_SECONDS, wait_for

TOP = Path(__file__).parents[3]
PARTS = ("contracts", "transactions", "indexer", "bots", "sponsor", "api", "replay", "chainboard", "frontend-static")
ASK_FOR_SOURCES = """
from contracts import artifacts, compile
print(len([compile.verification_request(file.stem) for file in artifacts.FOLDER.glob("*.json")]))
"""
"""A program that prepares all contracts for verification. It must work although npm's packages
aren't installed."""
FILES = ("pyproject.toml", "README.md", "LICENSE", "THIRD-PARTY.md", "requirements.txt")


@pytest.mark.timeout(600)
def test_an_installed_chainboard_plays_outside_the_checkout(tmp_path: Path) -> None:
    source, environment, elsewhere = tmp_path / "source", tmp_path / "environment", tmp_path / "elsewhere"
    elsewhere.mkdir()
    for part in PARTS:
        shutil.copytree(TOP / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(TOP / name, source / name)
    (source / "node_modules").symlink_to(TOP / "node_modules")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=source, check=True, capture_output=True, timeout=400)
    shutil.rmtree(source)
    [sdist] = tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    _lend_dependencies(environment)
    python = str(environment / "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    # The tests' environment contains hatchling, the build backend, so pip needs no network.
    offline = ["install", "--no-index", "--no-build-isolation", "--no-deps"]
    without_node = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    subprocess.run([*pip, *offline, str(sdist)], cwd=elsewhere, env=without_node, check=True, timeout=400)
    asked = subprocess.run([python, "-c", ASK_FOR_SOURCES], cwd=elsewhere, capture_output=True, text=True, check=False)
    assert (asked.returncode, asked.stdout) == (0, f"{len(list(artifacts.FOLDER.glob('*.json')))}\n"), asked.stderr
    _plays(environment / "bin/chainboard", elsewhere)


def _lend_dependencies(environment: Path) -> None:
    """Make the packages of the tests' environment available in the new environment.

    Chainboard itself doesn't become available. The reason is that a .pth file links Chainboard to
    the tests' environment. Python doesn't follow .pth files in a folder that another .pth file has
    added."""
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")


def _plays(chainboard: Path, folder: Path) -> None:
    """Start the installed server, open a match, and fetch the page. Anvil is on the PATH, as after
    a global installation with npm."""
    environment = {"PATH": f"{binary().parent}:/usr/bin:/bin", "HOME": str(folder)}
    command = [str(chainboard), "up", "--port", "0"]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = next(line for line in process.stdout if " at http" in line).split()[-1].rstrip("/")
        open_first_match(Server(process, url, []), node_url(folder / ".chainboard"))
        assert "Chainboard" in _answer(url + "/").text
        [sheet] = re.findall(r'<link rel="stylesheet" href="([^"]+)"', _answer(url + "/").text)
        assert _answer(f"{url}/{sheet}").headers["content-encoding"] in ("br", "gzip")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    _draws(chainboard, folder, environment)
    assert os.listdir(folder) == [".chainboard"]  # noqa: PTH208


def _draws(chainboard: Path, folder: Path, environment: dict[str, str]) -> None:
    """Export a board as an image. Node must load the page's modules from the installed package,
    although no folder above them contains a package.json."""
    node = shutil.which("node")
    assert node
    path = {**environment, "PATH": f"{Path(node).parent}:{environment['PATH']}"}
    command = [str(chainboard), "replay", "touche-coule/1", "--export", ".chainboard/first.png"]
    done = subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / ".chainboard" / "first.png").read_bytes().startswith(b"\x89PNG")


def _answer(url: str) -> httpx.Response:
    def answer() -> httpx.Response | None:
        with suppress(httpx.TransportError):
            return local.get(url)
        return None

    found = wait_for(answer, lambda found: found is not None, url)
    assert found is not None
    return found.raise_for_status()
