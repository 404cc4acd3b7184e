"""Plants known defects in copies of the contracts, one at a time, and shows that a test of the game
fails.

    python -m tests.contracts.mutation.mutants [GAME [NAME …]]

The defects of each game are in `defects/`. The tests are in `contracts/test/<game>/`. Forge runs
them on the compiled contracts in a folder with the planted defect. The exit code is 1 if all tests
of a game pass in spite of a planted defect.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from contracts import artifacts
from contracts.artifacts import Artifact, load
from contracts.compile import SOURCES, closure, compile_file
from indexer.games import GAMES, MODULES
from tests.contracts.mutation.defects.types import Defects

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build"
ALL = [module for module in MODULES if (ROOT / f"tests/contracts/mutation/defects/{module}.py").exists()]


def main(wanted: list[str]) -> int:
    game, names = wanted[:1], wanted[1:]
    if game and game[0] not in ALL:
        sys.exit(f"There are no defects for the game {game[0]!r}. Choose one of {', '.join(ALL)}.")
    undetected = [name for each in game or ALL for name in _undetected(each, names)]
    print(f"undetected: {', '.join(undetected)}" if undetected else "the tests detect each planted defect")
    return 1 if undetected else 0


def _undetected(game: str, names: list[str]) -> Iterator[str]:
    print(game)
    for name, (what, replacements) in defects(game).items():
        if not names or name in names:
            failed = _failing_tests(game, replacements)
            print(f"{name:4} {what}\n    {', '.join(failed) or 'NOT DETECTED'}", flush=True)
            if not failed:
                yield f"{game} {name}"


def _failing_tests(game: str, replacements: list[tuple[str, str]]) -> list[str]:
    """Plant a defect, run the game's tests, and return the names of those that fail."""
    forge = next(ROOT.glob("node_modules/@foundry-rs/forge-*/bin/forge"))
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        shutil.copytree(artifacts.FOLDER, folder, dirs_exist_ok=True)
        for artifact in _planted(game, replacements):
            (Path(folder) / f"{artifact.name}.json").write_text(json.dumps(dataclasses.asdict(artifact)), "utf-8")
        done = subprocess.run(
            [forge, "test", "--json", "--match-path", f"test/{game}/*"],
            cwd=ROOT / "contracts",
            env=os.environ | {"ARTIFACTS": folder},
            stdout=subprocess.PIPE,
            text=True,
            timeout=600,
        )
    results = [suite["test_results"] for suite in json.loads(done.stdout).values()]
    if not results:
        raise SystemExit(f"Forge has found no tests in contracts/test/{game}")
    return [
        test.partition("(")[0] for suite in results for test, result in suite.items() if result["status"] == "Failure"
    ]


def _planted(game: str, replacements: list[tuple[str, str]]) -> Iterator[Artifact]:
    """Plant the defect in the sources of the game's contract and its linked libraries. Compile the
    sources that it changes, and yield their artifacts.

    The contract calls the libraries and their contracts only by address, so its code doesn't depend
    on their sources."""
    texts = planted(game, replacements)
    libraries = [next(SOURCES.rglob(f"{name}.sol")) for name in load(_file(game).stem).libraries]
    called = [name for file in libraries for name in closure(file, own=True) if name.endswith(f"/{file.name}")]
    for file, without in [(_file(game), called), *((library, []) for library in libraries)]:
        if not closure(file, own=True, without=without).items() <= texts.items():
            yield compile_file(file, texts)[file.stem]


def defects(game: str) -> Defects:
    found: Defects = import_module(f"tests.contracts.mutation.defects.{game}").DEFECTS
    return found


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
