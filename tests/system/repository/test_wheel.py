"""Tests that `pip install` can install the program from an sdist, without Node. The installed
program must work outside the checkout, in an environment that has only the program's dependencies.
They also test that `make wheel` writes the same files in every folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from chainboard.chain.anvil import binary
from contracts import artifacts
from tests.support.http import local
from tests.support.server import Server, node_url, open_first_match
from tests.support.waiting import PATIENCE_SECONDS, wait_for
from tests.system.checkout import make_checkout, tracked

TOP = Path(__file__).parents[3]
PARTS = ("contracts", "transactions", "indexer", "bots", "sponsor", "api", "replay", "chainboard", "frontend-static")
ASK_FOR_SOURCES = """
from contracts import artifacts, compile
print(len([compile.verification_request(file.stem) for file in artifacts.FOLDER.glob("*.json")]))
"""
"""A program that prepares all contracts for verification. It must work although npm's packages
aren't installed."""
FILES = ("pyproject.toml", "README.md", "LICENSE", "THIRD-PARTY.md", "requirements.txt")

BUILD_ONLY = {"hatchling", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
"""The build backend and its packages, which a running Chainboard doesn't need."""


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


def build_wheel(checkout: Path) -> dict[str, bytes]:
    """Run `make wheel` in a copy of the repository, with the running Python and its packages.
    Return the contents of the files that it writes, by name."""
    git = subprocess.check_output(["git", "rev-parse", "--absolute-git-dir"], cwd=TOP, text=True).strip()
    installed = ["-o", ".venv/.dev", "-o", "node_modules/.play", f"BIN={Path(sys.executable).parent}"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(checkout.parent), "GIT_DIR": git}
    made = subprocess.run(
        ["make", *installed, "wheel"], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return {path.name: path.read_bytes() for path in (checkout / "dist").iterdir()}


@pytest.mark.timeout(600)
def test_two_builds_in_different_folders_write_the_same_bytes(tmp_path: Path) -> None:
    first, second = make_checkout(tmp_path / "first"), make_checkout(tmp_path / "a" / "second")
    for name in tracked():  # as after a later checkout by somebody else
        if (second / name).is_file():
            os.utime(second / name, (0, 1_500_000_000))
            (second / name).chmod((second / name).stat().st_mode & 0o700)
    built = build_wheel(first)
    assert {name.rpartition(".")[2] for name in built} == {"whl", "json"}
    assert build_wheel(second) == built
    _lists_the_dependencies(next(built[name].decode() for name in built if name.endswith(".json")))


def _lists_the_dependencies(text: str) -> None:
    """Check that the bill of materials contains the locked packages that the wheel requires."""
    found = {one["purl"]: one for one in json.loads(text)["components"]}
    lock = (TOP / "requirements.txt").read_text("utf-8").replace("\\\n", "")
    locked = {f"pkg:pypi/{name}@{version}": line for line, name, version in re.findall(r"((\S+)==(\S+) .*)", lock)}
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    named = {re.split(r"[\[>]", text)[0] for text in project["dependencies"]}
    assert named - {re.split("[/@]", purl)[1] for purl in found} == set()
    python = {purl: one for purl, one in found.items() if purl.startswith("pkg:pypi/")}
    unlisted = {purl.split("/")[1].split("@")[0] for purl in locked.keys() - python.keys()}
    assert (python.keys() - locked.keys(), unlisted) == (set(), BUILD_ONLY)
    for purl, one in python.items():
        assert [f"sha256:{each['content']}" for each in one["hashes"]] == re.findall(r"--hash=(\S+)", locked[purl])
    assert {"pkg:npm/esbuild", "pkg:npm/ox", "pkg:npm/solc"} <= {purl.rpartition("@")[0] for purl in found}
    assert re.findall(r"https?://(?!cyclonedx\.org/schema/)\S+", text) == []
    assert str(TOP) not in text
