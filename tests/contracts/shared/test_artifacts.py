"""Tests that the compiled artifacts in the package match the Solidity sources."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from contracts import artifacts, compile
from indexer.games import GAMES
from tests.support.compiled import TOKENS

COMMITTED = sorted(file.stem for file in artifacts.FOLDER.glob("*.json"))


def test_nothing_has_changed_since_it_was_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that each artifact stores a key that changes when the contract's sources or the
    compiler change."""
    monkeypatch.setattr(
        compile, "compile_file", lambda file: pytest.fail(f"{file} has changed: run `chainboard build`")
    )
    assert compile.build() == []


@pytest.mark.soak
def test_a_fresh_compile_gives_the_committed_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = {file.name: json.loads(file.read_text("utf-8")) for file in artifacts.FOLDER.glob("*.json")}
    monkeypatch.setattr(artifacts, "FOLDER", tmp_path)
    artifacts.load.cache_clear()
    try:
        assert sorted(compile.build(force=True)) == sorted(name.removesuffix(".json") for name in committed)
        assert {file.name: json.loads(file.read_text("utf-8")) for file in tmp_path.glob("*.json")} == committed
        assert compile.build() == [], "the second build compiled a contract, although nothing has changed"
    finally:
        artifacts.load.cache_clear()


def test_what_changed_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(compile, "VERSION", "another one")
    monkeypatch.setattr(compile, "compile_file", lambda file: compiled.append(file.name) or {file.stem: None})
    monkeypatch.setattr(artifacts, "save", lambda _artifact: None)
    assert sorted(compile.build()) == COMMITTED
    assert sorted(compiled) == [f"{name}.sol" for name in COMMITTED]


@pytest.mark.parametrize("name", ["/{}/Sessions", "../artifacts/Sessions", "./Sessions", "", "Sessions\n", "Séssions"])
def test_a_name_that_is_no_word_is_no_path(name: str) -> None:
    with pytest.raises(artifacts.NoArtifact):
        artifacts.load(name.format(artifacts.FOLDER))


def test_contracts_fit_on_a_chain() -> None:
    assert {"Sessions", "Ship", *(game.contract for game in GAMES.values())} <= {*COMMITTED}
    for name in COMMITTED:
        assert 0 < artifacts.load(name).size <= compile.SIZE_LIMIT


@pytest.mark.parametrize("name", [name for name in COMMITTED if name.startswith("Conquest")])
def test_conquest_leaves_room_for_what_is_mended(name: str) -> None:
    assert artifacts.load(name).size <= 22_000


def test_linked_libraries_are_compiled_and_travel_with_the_package() -> None:
    linked = {library: name for name in COMMITTED for library in artifacts.load(name).libraries}
    assert set(linked) == {"ConquestBoard", "ConquestDraws", "ConquestStrikes"}
    for library, name in linked.items():
        placeholder = artifacts.load(name).libraries[library]
        assert re.fullmatch(r"__\$[0-9a-f]{34}\$__", placeholder)
        assert artifacts.load(library).libraries == {}


def test_a_contract_is_linked_and_known_again_by_what_created_it() -> None:
    conquest = artifacts.load("Conquest")
    addresses = {name: f"0x{number:040x}" for number, name in enumerate(sorted(conquest.libraries), 1)}
    linked = conquest.linked(addresses)
    assert re.fullmatch(r"0x[0-9a-f]+", linked)
    assert conquest.addresses_in(linked + "00" * 64) == addresses
    assert conquest.addresses_in("0x00" + linked[4:]) is None
    with pytest.raises(artifacts.NotLinked, match="Conquest calls the library Conquest"):
        conquest.linked({})


def test_what_contracts_import_of_others_travels_with_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The package contains copies of the third-party files that the contracts and the tests' tokens
    import. Tests that the copies equal the files in the npm package, and that there are no other
    copies. `chainboard build` copies newly imported files."""
    vendored = {file.relative_to(compile.VENDORED).as_posix() for file in compile.VENDORED.rglob("*") if file.is_file()}
    texts = {name: (compile.NODE_MODULES / name).read_text("utf-8") for name in vendored}
    monkeypatch.setattr(compile, "NODE_MODULES", tmp_path)
    sources: dict[str, str] = {}
    for name in COMMITTED:
        sources |= {key: source["content"] for key, source in compile.standard_json(name)["sources"].items()}
    for file in TOKENS.glob("*.sol"):
        sources |= compile.closure(file)
    assert vendored == {name for name in sources if name.startswith("@")}
    assert {name: sources[name] for name in vendored} == texts


def test_an_import_that_is_new_is_copied_when_it_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile, "VENDORED", tmp_path)
    monkeypatch.setattr(compile, "compile_file", lambda file: {file.stem: None})
    monkeypatch.setattr(artifacts, "save", lambda _artifact: None)
    compile.build(force=True)
    copied = [file.relative_to(tmp_path) for file in tmp_path.rglob("*.sol")]
    assert len(copied) > 20
    for one in copied:
        assert (tmp_path / one).read_bytes() == (compile.NODE_MODULES / one).read_bytes()


def test_the_verification_request_names_compiler_and_contract() -> None:
    request = compile.verification_request("TicTacToe")
    assert request["compilerVersion"] == compile.COMPILER
    assert request["contractIdentifier"] == "src/games/tic_tac_toe/TicTacToe.sol:TicTacToe"
    with pytest.raises(compile.CompileError, match="no source file contains the contract 'Chess'"):
        compile.verification_request("Chess")


def test_another_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile, "COMPILER", "0.8.37+commit.00000000")
    with pytest.raises(
        compile.CompileError, match=r"npm's solc has version 0\.8\.37\+commit\.f401782d, but the contracts need"
    ):
        compile.build(force=True)


def test_unknown_contract_is_told() -> None:
    with pytest.raises(artifacts.NoArtifact, match="'Chess'"):
        artifacts.load("Chess")


def test_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile, "NODE_MODULES", tmp_path)
    with pytest.raises(compile.CompileError, match="npm install"):
        compile.build(force=True)


def test_missing_node_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(compile.CompileError, match=r"Node\.js is not installed"):
        compile.build(force=True)


def test_fault_in_a_contract_is_told() -> None:
    ship = "games/touche_coule/Ship.sol"
    with pytest.raises(compile.CompileError, match="DeclarationError"):
        compile.compile_file(compile.SOURCES / ship, {f"src/{ship}": _FAULTY})


_FAULTY = "// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\ncontract Ship { uint256 x = y; }\n"
