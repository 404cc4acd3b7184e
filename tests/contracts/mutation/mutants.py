"""Plants known defects in copies of the contracts, one at a time, and shows that the test with the
defect's name fails.

    python -m tests.contracts.mutation.mutants [GAME [NUMBER …]]

The defects of each game are in `defects/`, and the tests are in
`tests/contracts/<game>/test_defects*.py`. The exit code is 1 if a planted defect went undetected.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

from contracts.artifacts import load
from contracts.compile import SOURCES, closure, compile_file
from indexer.games import GAMES, MODULES
from tests.contracts.mutation.defects.types import Defects

ROOT = Path(__file__).parents[3]
ALL = [module for module in MODULES if (ROOT / f"tests/contracts/mutation/defects/{module}.py").exists()]


def main(wanted: list[str]) -> int:
    game, numbers = wanted[:1], wanted[1:]
    if game and game[0] not in ALL:
        sys.exit(f"There are no defects for the game {game[0]!r}. Choose one of {', '.join(ALL)}.")
    undetected = [name for each in game or ALL for name in _undetected(each, numbers)]
    print(
        f"undetected: {', '.join(undetected)}"
        if undetected
        else "each planted defect fails the test with the same name"
    )
    return 1 if undetected else 0


def _undetected(game: str, numbers: list[str]) -> list[str]:
    defects: Defects = import_module(f"tests.contracts.mutation.defects.{game}").DEFECTS
    print(game)
    return [
        f"{game} {name}"
        for name, (what, replacements) in defects.items()
        if (not numbers or name[:2] in numbers) and not _is_detected(game, name, what, replacements)
    ]


def _is_detected(game: str, name: str, what: str, replacements: list[tuple[str, str]]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        planted = Path(folder) / "planted.json"
        planted.write_text(json.dumps(_plant(game, replacements)), "utf-8")
        test = f"test_defect_{name.replace(' ', '_')}"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-q", *_tests(game), "-k", test],
            cwd=ROOT,
            env=os.environ | {"CHAINBOARD_TEST_ARTIFACT": str(planted)},
            capture_output=True,
            text=True,
            timeout=300,
        )
    why = re.findall(r"^E +(.+)$", done.stdout, re.MULTILINE)
    detected = done.returncode == 1 and " failed" in done.stdout
    print(
        f"{name:26} {what}\n    {'FAILED as it should' if detected else 'NOT DETECTED'}: {(why or [''])[0][:110]}",
        flush=True,
    )
    return detected


def _tests(game: str) -> list[str]:
    return sorted(str(file) for file in (ROOT / f"tests/contracts/{game}").glob("test_defects*.py"))


def _plant(game: str, replacements: list[tuple[str, str]]) -> dict[str, Any]:
    """Plant the defect in the sources of the contract and its linked libraries, and compile them.
    Return the artifacts."""
    texts = planted(game, replacements)
    libraries = {name: next(SOURCES.rglob(f"{name}.sol")) for name in load(_file(game).stem).libraries}
    linked = {name: _compiled(file, texts) for name, file in libraries.items()}
    called = [name for file in libraries.values() for name in closure(file, own=True) if name.endswith(f"/{file.name}")]
    return {"contract": _compiled(_file(game), texts, called), "linked": linked}


def _compiled(file: Path, texts: dict[str, str], called: Collection[str] = ()) -> dict[str, Any]:
    """Compile the contract in `file` from the sources in `texts`, and return the artifact. If no
    source of the contract has changed, return the committed artifact instead.

    The contract calls the contracts in `called` only by address, so its code doesn't depend on
    their sources."""
    if closure(file, own=True, without=called).items() <= texts.items():
        return dataclasses.asdict(load(file.stem))
    return dataclasses.asdict(compile_file(file, texts)[file.stem])


def planted(game: str, replacements: list[tuple[str, str]]) -> dict[str, str]:
    """Return the game's sources by name, after planting the defect in them. Exits with an error if
    a text to replace doesn't occur exactly once."""
    texts = {name: text for name, text in closure(_file(game)).items() if not name.startswith("@")}
    for old, new in replacements:
        places = [name for name, text in texts.items() if old in text]
        if len(places) != 1 or texts[places[0]].count(old) != 1:
            raise SystemExit(f"This text must occur exactly once, but it occurs in {places}: {old}")
        texts[places[0]] = texts[places[0]].replace(old, new)
    return texts


def _file(game: str) -> Path:
    contract = next(each.contract for each in GAMES.values() if each.module == game)
    return SOURCES / f"games/{game}/{contract}.sol"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
