"""Tests that every Slither finding of high or medium impact in the contracts is fixed, or explained
in exclusions.toml.

`make slither` and `make soak` run Slither. `make test` checks that Slither last ran on exactly the
current contracts.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from contracts import compile
from tests.support.services.missing import skip_or_fail

HERE = Path(__file__).parent
TOP = HERE.parents[2]
PYTHON = TOP / ".venv-slither" / "bin" / "python"
EXCLUSIONS = tomllib.loads((HERE / "exclusions.toml").read_text("utf-8"))["exclusion"]
CHECKED_DIGEST = HERE / "checked_digest.txt"
"""The file with the digest of the sources on which Slither last ran."""
EXPLAINED = 16
"""The number of findings with an explanation. If the number changes, somebody must review why."""


def sources() -> dict[str, str]:
    """Return the texts of our contracts and of all files that they import. The keys are the files'
    paths from the top folder."""
    texts: dict[str, str] = {}
    for file in sorted(compile.SOURCES.rglob("*.sol")):
        texts |= compile.closure(file)
    return {("node_modules/" if name.startswith("@") else "contracts/") + name: text for name, text in texts.items()}


def report(texts: dict[str, str], top: Path = TOP) -> list[dict[str, Any]]:
    if not PYTHON.exists():
        skip_or_fail("Slither is not installed: run `make slither` to install it.")
    request = json.dumps({"solc": str(compile.SOLC), "version": compile.VERSION, "sources": texts})
    command = [PYTHON, HERE / "report.py"]
    done = subprocess.run(command, input=request, cwd=top, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def location(one: dict[str, Any]) -> tuple[str, str, int]:
    return one["check"], one["file"], one["line"]


def digest() -> str:
    """Return a digest of everything that can change a finding."""
    read = {name: (HERE / name).read_text("utf-8") for name in ("exclusions.toml", "report.py", "requirements.txt")}
    parts = json.dumps([compile.VERSION, sorted(sources().items()), sorted(read.items())])
    return sha256(parts.encode()).hexdigest()


@pytest.mark.soak
def test_every_finding_is_explained_and_every_explanation_needed() -> None:
    found = {location(one): one["message"] for one in report(sources())}
    explained = {location(one) for one in EXCLUSIONS}
    assert [message for where, message in found.items() if where not in explained] == []
    assert sorted(explained - set(found)) == []
    CHECKED_DIGEST.write_text(f"{digest()}\n")


def test_each_exclusion_has_a_reason_and_their_number_is_known() -> None:
    assert all(len(one["reason"].split()) >= 4 for one in EXCLUSIONS)
    assert len(EXCLUSIONS) == len({location(one) for one in EXCLUSIONS}) == EXPLAINED


@pytest.mark.soak
def test_a_planted_hole_is_found(tmp_path: Path) -> None:
    """Tests that Slither finds the fault in a contract from which anybody can take the ether. This
    shows that Slither reads its input."""
    hole = "contract Hole { function take(address payable to) external { to.transfer(address(this).balance); } }"
    text = f"// SPDX-License-Identifier: MIT\npragma solidity {compile.VERSION};\n{hole}\n"
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts/Hole.sol").write_text(text)
    found = report({"contracts/Hole.sol": text}, tmp_path)
    assert ("arbitrary-send-eth", "High") in {(one["check"], one["impact"]) for one in found}


def test_slither_has_checked_these_contracts() -> None:
    """Tests that Slither must run again even if only a single word in a contract has changed."""
    assert CHECKED_DIGEST.read_text().strip() == digest(), "the contracts have changed: run `make slither`"
