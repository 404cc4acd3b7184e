"""Tests that the lock files pin each Python package that `make` installs, with hashes. The files
must agree with pyproject.toml and with the installed packages. `make lock` writes these files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[2]
RUNTIME, DEV, SLITHER = "requirements.txt", "requirements-dev.txt", "tests/contracts/slither/requirements.txt"
PYPROJECT: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
PIN = re.compile(r"[a-z0-9-]+==[^\s=;]+(?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n")


def locked(*files: str) -> dict[str, Requirement]:
    lines = "".join((TOP / file).read_text("utf-8") for file in files).replace("\\\n", "").splitlines()
    pins = [Requirement(line.partition(" --hash")[0]) for line in lines]
    return {canonicalize_name(pin.name): pin for pin in pins}


def pinned_version(pin: Requirement) -> str:
    (found,) = pin.specifier
    return found.version


def unmet(texts: list[str], pins: dict[str, Requirement], extras: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the requirements for this system that the pins don't meet."""
    for one in map(Requirement, texts):
        if one.marker and not any(one.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            continue
        if one.extras:
            yield from unmet(requires(one.name) or [], pins, frozenset(one.extras))
        pin = pins.get(canonicalize_name(one.name))
        if pin is None or not one.specifier.contains(pinned_version(pin), prereleases=True):
            yield f"{one} is locked as {pin}"


@pytest.mark.parametrize("file", [RUNTIME, DEV, SLITHER])
def test_a_lock_contains_only_versions_and_hashes(file: str) -> None:
    assert PIN.sub("", (TOP / file).read_text("utf-8")) == ""
    assert len(locked(file)) > 40


@pytest.mark.parametrize(
    ("texts", "files"),
    [
        (PROJECT["dependencies"], [RUNTIME]),
        (EXTRAS["postgresql"] + EXTRAS["redis"], [RUNTIME]),
        (PYPROJECT["build-system"]["requires"] + GROUPS["build"], [RUNTIME]),
        (EXTRAS["dev"][1:], [RUNTIME, DEV]),
        (GROUPS["slither"], [SLITHER]),
    ],
    ids=["dependencies", "optional", "build", "dev", "slither"],
)
def test_each_requirement_is_locked(texts: list[str], files: list[str]) -> None:
    assert list(unmet(texts, locked(*files))) == []


def test_the_installed_packages_are_those_of_the_lock() -> None:
    pins = {name: pin for name, pin in locked(RUNTIME, DEV).items() if pin.marker is None or pin.marker.evaluate()}
    assert {name: version(name) for name in pins} == {name: pinned_version(pin) for name, pin in pins.items()}


@pytest.mark.parametrize("files", [[RUNTIME], [RUNTIME, DEV]], ids=["runtime", "dev"])
def test_the_lock_is_complete(files: list[str]) -> None:
    """Tests that the lock contains what each of its packages requires. The tests know this only of
    the packages for this system."""
    pins = {name: pin for name, pin in locked(*files).items() if pin.marker is None or pin.marker.evaluate()}
    assert [one for name, pin in pins.items() for one in unmet(requires(name) or [], pins)] == []


@pytest.mark.parametrize(
    "file", ["Makefile", "deploy/Containerfile", "docs/how-to/run-a-site.md", "docs/how-to/use-a-public-chain.md"]
)
def test_every_installation_checks_hashes_or_downloads_nothing(file: str) -> None:
    commands = re.findall(r"\bpip (?:install|wheel) (-[^&\n]*)", (TOP / file).read_text("utf-8"))
    assert commands
    safe = ("--require-hashes", "--no-index", "--no-deps --no-build-isolation")
    assert [command for command in commands if not any(option in command for option in safe)] == []
