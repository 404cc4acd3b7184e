"""Compiles the Solidity sources into artifacts.

Each file with a contract or a linked library is compiled separately, and only if the file or one of
its imports has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import solcx
from solcx.exceptions import SolcError

from contracts import artifacts
from contracts.artifacts import Artifact

HERE = Path(__file__).parent
SOURCES = HERE / "src"
VENDORED = HERE / "vendor"
"""The third-party sources that our contracts import. `build` copies these sources from npm
packages, so that they ship with our package."""
NODE_MODULES = HERE.parent / "node_modules"
SOLC = HERE / "solc.mjs"

VERSION = "0.8.37"
COMPILER = f"{VERSION}+commit.f401782d"
SETTINGS: dict[str, Any] = {
    "viaIR": True,
    "optimizer": {"enabled": True, "runs": 200},
    "evmVersion": "cancun",
    "metadata": {"bytecodeHash": "ipfs"},
}
"""The compiler's settings. The deployed code ends with the hash of its metadata, so that source
verification can report an exact match."""
SIZE_LIMIT = 24_576
"""The maximum size of a contract's deployed code, in bytes (EIP-170)."""

_OUTPUTS = [
    "abi",
    *(f"evm.{code}.{part}" for code in ("bytecode", "deployedBytecode") for part in ("object", "linkReferences")),
    "evm.deployedBytecode.immutableReferences",
]
_ENTROPY = "src/Entropy.sol"
_CONTRACT = re.compile(r"^contract (\w+)", re.MULTILINE)
_LIBRARY = re.compile(r"^library (\w+)", re.MULTILINE)
_EXTERNAL = re.compile(r"^[^/\n]*\b(?:external|public)\b(?! constant)", re.MULTILINE)
_IMPORT = re.compile(r"^import [^;]*?\"([^\"]+)\";", re.MULTILINE)


class CompileError(Exception):
    """The contracts can't be compiled. The message explains why."""


def build(force: bool = False) -> list[str]:
    """Compile the contracts that have changed since the last build, or all contracts if `force`.

    Return the names of the contracts that were compiled. Raises CompileError."""
    return [name for name, file in _contracts() if _build(name, file, force)]


def compile_file(file: Path, replaced: Mapping[str, str] | None = None) -> dict[str, Artifact]:
    """Compile one file. Return a map from names to all contracts in the file.

    `replaced` maps source names (`src/Match.sol`) to texts that replace the contents of these
    files. Tests use this argument to plant defects. Raises CompileError."""
    unit = _source_name(file)
    texts = {name: (replaced or {}).get(name, text) for name, text in closure(file).items()}
    output = _solc(unit, texts)
    made = output["contracts"][unit]
    return {name: _artifact(name, contract, texts) for name, contract in made.items()}


def standard_json(contract: str) -> dict[str, Any]:
    """Return the compiler's input for a contract as standard JSON.

    Sourcify and block explorers can reproduce the exact code from it. Raises CompileError."""
    file = next((file for name, file in _contracts() if name == contract), None)
    if file is None:
        raise CompileError(f"no source file contains the contract {contract!r}")
    return _request(_source_name(file), closure(file))


def verification_request(contract: str) -> dict[str, Any]:
    """Return the body of a request that asks Sourcify (API v2) to verify a contract.

    The body contains the standard JSON, the compiler's version and the contract's identifier.
    Raises CompileError."""
    request = standard_json(contract)
    (unit,) = request["settings"]["outputSelection"]
    return {"compilerVersion": COMPILER, "contractIdentifier": f"{unit}:{contract}", "stdJsonInput": request}


def _build(name: str, file: Path, force: bool) -> bool:
    try:
        if not force and artifacts.load(name).source_key == _source_key(closure(file, own=True)):
            return False
    except artifacts.NoArtifact:
        pass
    artifacts.save(compile_file(file)[name])
    _vendor_imports(file)
    return True


def _vendor_imports(file: Path) -> None:
    """Copy into VENDORED the files that a contract imports from npm packages."""
    for name, text in closure(file).items():
        copy = VENDORED / name
        if name.startswith("@") and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, "utf-8")


def _contracts() -> Iterator[tuple[str, Path]]:
    for file in sorted(SOURCES.rglob("*.sol")):
        if found := _compiled_name(file.read_text("utf-8")):
            yield found[1], file


def _compiled_name(text: str) -> re.Match[str] | None:
    """Find the declaration of the file's contract. In a file without a contract, find the
    declaration of a library with external functions.

    The compiler copies all other libraries into the contracts that call them."""
    return _CONTRACT.search(text) or (_LIBRARY.search(text) if _EXTERNAL.search(text) else None)


def closure(file: Path, own: bool = False, without: Collection[str] = ()) -> dict[str, str]:
    """Return the texts of one of our files and of all files that it imports. The key is the file's
    name: the path relative to this folder or, for a third-party file, the import path.

    If `own` is True, skip third-party files. Always skip the files in `without` and their
    imports."""
    texts: dict[str, str] = {}
    waiting = [_source_name(file)]
    while waiting:
        name = waiting.pop()
        if name in texts or name in without or (own and name.startswith("@")):
            continue
        texts[name] = _read(name)
        waiting += [_resolve(name, path) for path in _IMPORT.findall(texts[name])]
    return texts


def _resolve(importer: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path)) if path.startswith(".") else path


def _read(name: str) -> str:
    for folder in (VENDORED, NODE_MODULES) if name.startswith("@") else (HERE,):
        with suppress(FileNotFoundError):
            return (folder / name).read_text("utf-8")
    raise CompileError(f"{name} is missing: run `npm install` in the checkout")


def _source_name(file: Path) -> str:
    return Path(os.path.relpath(file.resolve(), HERE)).as_posix()


def _source_key(texts: Mapping[str, str]) -> str:
    """Return a hash of our own sources and the compiler's settings.

    The hash doesn't include third-party sources, because npm's lock file pins their versions."""
    own = {name: text for name, text in texts.items() if not name.startswith("@")}
    return hashlib.sha256(json.dumps([VERSION, SETTINGS, own], sort_keys=True).encode()).hexdigest()


def _solc(unit: str, texts: Mapping[str, str]) -> Any:
    if shutil.which("node") is None:
        raise CompileError("Node is not installed, but npm's Solidity compiler needs it")
    if not (NODE_MODULES / "solc").is_dir():
        raise CompileError("npm's solc is not installed: run `npm install` in the checkout")
    try:
        found = _version(SOLC)
        if found != COMPILER:
            raise CompileError(
                f"npm's solc is {found}, but the contracts need {COMPILER}: run `npm install` in the checkout"
            )
        return solcx.compile_standard(_request(unit, texts), solc_binary=SOLC)
    except SolcError as error:
        raise CompileError(str(error.message)) from None


def _request(unit: str, texts: Mapping[str, str]) -> dict[str, Any]:
    return {
        "language": "Solidity",
        "sources": {name: {"content": texts[name]} for name in sorted(texts)},
        "settings": {**SETTINGS, "outputSelection": {unit: {"*": _OUTPUTS}}},
    }


@cache
def _version(solc: Path) -> str:
    return str(solcx.wrapper.get_version_str_from_solc_binary(solc))


def _artifact(name: str, made: Any, texts: Mapping[str, str]) -> Artifact:
    created, runtime = made["evm"]["bytecode"], made["evm"]["deployedBytecode"]
    size = len(runtime["object"]) // 2
    if size > SIZE_LIMIT:
        raise CompileError(f"the code of {name} has {size} bytes, but the limit is {SIZE_LIMIT}")
    code = "0x" + created["object"]
    linked = {
        library: code[2 + 2 * spans[0][0] :][: 2 * spans[0][1]] for library, spans in _link_references(created).items()
    }
    unknown = [
        *_spans(runtime["immutableReferences"]),
        *(one for spans in _link_references(runtime).values() for one in spans),
    ]
    return Artifact(
        name=name,
        abi=made["abi"],
        bytecode=code,
        size=size,
        source_key=_source_key(texts),
        libraries=linked,
        runtime="0x" + runtime["object"],
        unknown=sorted(unknown),
        draws_from_blocks=_ENTROPY in texts,
    )


def _link_references(code: Any) -> dict[str, list[list[int]]]:
    """For each library, return the places in the code that contain its address. A place is a start
    and a length, in bytes. The key is the library's name."""
    return {
        name: _spans({name: spans})
        for libraries in code["linkReferences"].values()
        for name, spans in libraries.items()
    }


def _spans(references: Mapping[str, Any]) -> list[list[int]]:
    return [[one["start"], one["length"]] for spans in references.values() for one in spans]
