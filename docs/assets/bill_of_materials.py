"""Writes the bill of materials of the wheel in a folder: the Python packages that the wheel needs,
and the npm packages that its page and its compiler use. `make wheel` runs this module."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[2]
SHA256, SHA512 = HashAlgorithm.SHA_256, HashAlgorithm.SHA_512


def component(kind: str, name: str, version: str, algorithm: HashAlgorithm, *digests: str) -> Component:
    namespace, _, short = name.rpartition("/")
    address = PackageURL(kind, namespace or None, short, version)
    return Component(
        name=short,
        group=namespace or None,
        version=version,
        type=ComponentType.LIBRARY,
        purl=address,
        bom_ref=str(address),
        hashes=[HashType(alg=algorithm, content=digest) for digest in digests],
    )


def python_packages() -> dict[str, Component]:
    """Return the packages in requirements.txt by name. A package has one hash for each of its
    files."""
    found = {}
    for line in (TOP / "requirements.txt").read_text("utf-8").replace("\\\n", "").splitlines():
        pinned, *digests = line.split("--hash=sha256:")
        one = Requirement(pinned)
        (pin,) = one.specifier
        found[one.name] = component("pypi", one.name, pin.version, SHA256, *map(str.strip, digests))
    return found


def npm_packages() -> Iterator[Component]:
    packages: dict[str, dict[str, Any]] = json.loads((TOP / "package-lock.json").read_text("utf-8"))["packages"]
    for path, entry in packages.items():
        if path and not entry.get("dev"):
            name, digest = path.rpartition("node_modules/")[2], entry["integrity"].removeprefix("sha512-")
            yield component("npm", name, entry["version"], SHA512, b64decode(digest).hex())


def needs(name: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the packages that an installed package requires, on any system, with their extras."""
    try:
        texts = requires(name) or []
    except PackageNotFoundError:  # a package for a different system
        return
    for one in map(Requirement, texts):
        marker = one.marker
        if marker is None or "extra" not in str(marker) or any(marker.evaluate({"extra": name}) for name in extras):
            yield canonicalize_name(one.name), frozenset(one.extras)


def bill(wheel: Path, project: dict[str, Any]) -> Bom:
    """Return the bill. Equal wheels have equal bills if SOURCE_DATE_EPOCH is the same."""
    digest = sha256(wheel.read_bytes()).hexdigest()
    root = component("pypi", project["name"], project["version"], SHA256, digest)
    root.type = ComponentType.APPLICATION
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, digest))
    bom.metadata.component = root
    bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    locked = {**python_packages(), project["name"]: root}
    waiting, seen = [(project["name"], frozenset(project["optional-dependencies"]) - {"dev"})], set()
    while waiting:
        name, extras = one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        needed = [two for two in needs(name, extras) if two[0] in locked]
        waiting += needed
        bom.components.update(locked[two[0]] for two in needed)
        bom.register_dependency(locked[name], [locked[two[0]] for two in needed])
    npm = {str(two.purl): two for two in npm_packages()}.values()
    bom.components.update(npm)
    bom.register_dependency(root, npm)
    return bom


def main(folder: Path) -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    name = f"{project['name']}-{project['version']}"
    (wheel,) = folder.glob(f"{name}-*.whl")
    text = JsonV1Dot6(bill(wheel, project)).output_as_string(indent=2)
    (folder / f"{name}.cdx.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
