"""Compiles contracts that only tests deploy.

The first worker that needs a contract compiles it. All other workers use this result until the
contract's sources change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from filelock import FileLock

from contracts import compile
from contracts.artifacts import Artifact

TOP = Path(__file__).parents[2]
SOURCES = TOP / "tests" / "fixtures" / "contracts"
TOKENS = TOP / "contracts" / "test" / "tokens"
CACHE = TOP / ".pytest_cache" / "contracts"


@cache
def compiled(file: Path) -> Artifact:
    """Compile a source file. Return the contract with the same name as the file."""
    texts = compile.closure(file)
    key = hashlib.sha256(json.dumps([compile.VERSION, compile.SETTINGS, texts], sort_keys=True).encode()).hexdigest()
    cached = CACHE / f"{file.stem}-{key[:16]}.json"
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(cached.with_suffix(".lock")):
        if not cached.exists():
            cached.write_text(json.dumps(asdict(compile.compile_file(file)[file.stem])), "utf-8")
        return Artifact(**json.loads(cached.read_text("utf-8")))
