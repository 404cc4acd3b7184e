"""Tests `chainboard names`. With this command, an operator lists or removes nicknames, and blocks
words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.names.spelling import keys_of
from indexer.games import GAMES
from indexer.store.shared.nicknames import Nickname, NicknameBlocked
from indexer.store.store import Store
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, contract
from tests.support.command_line import CommandResult, chainboard


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        it.nicknames.store(Nickname(ALICE, "Ann Lee", 1_700_000_000, "0x"), "annlee", ())
        it.nicknames.store(Nickname(BOB, "Coco", 1_700_000_000, "0x"), "coco", ())
        yield it


@pytest.mark.parametrize("named", ["ann lee", "ANN-LEE", ALICE, ALICE.lower()])
def test_a_name_is_removed_and_blocked(store: Store, tmp_path: Path, named: str) -> None:
    assert names(tmp_path, "list").out.splitlines() == sorted(
        [f"{ALICE}  Ann Lee  2023-11-14 22:13 UTC", f"{BOB}  Coco  2023-11-14 22:13 UTC"]
    )
    assert names(tmp_path, "remove", named).out == f"Removed the nickname Ann Lee of {ALICE}, and blocked it\n"
    assert [one.account for one in store.nicknames.all()] == [BOB]
    assert names(tmp_path, "blocked").out == "Ann Lee\n"
    again = names(tmp_path, "remove", named)
    assert (again.code, again.err.count("\n")) == (1, 1)


def test_a_word_is_blocked_and_unblocked_by_its_look(store: Store, tmp_path: Path) -> None:
    assert names(tmp_path, "blocked").out == "No word is blocked\n"
    assert "until you remove them" in names(tmp_path, "block", "Сосо").out
    assert store.nicknames.blocked() == ["Сосо"]
    assert names(tmp_path, "unblock", "coco").out == "Unblocked coco\n"
    assert names(tmp_path, "unblock", "coco").code == 1
    assert names(tmp_path, "block", "--", "-").code == 1


@pytest.mark.parametrize("action", ["block", "unblock", "remove"])
@pytest.mark.usefixtures("store")
def test_what_no_terminal_shows_is_refused_in_a_sentence(tmp_path: Path, action: str) -> None:
    for word in ("\udcff", "a\x1b[2J"):
        found = names(tmp_path, action, word)
        assert (found.code, found.out, found.err.count("\n")) == (1, "", 1)
        assert "use UTF-8" in found.err


def test_an_accent_hides_no_blocked_word(store: Store, tmp_path: Path) -> None:
    names(tmp_path, "block", "Rüde")
    with pytest.raises(NicknameBlocked):
        store.nicknames.store(Nickname(BOB, "rude7", 1_700_000_001, "0x"), "rude7", keys_of("rude7"))


@pytest.mark.parametrize("words", [("remove",), ("block",), ("list", "Ann"), ("blocked", "Ann"), ("rename", "Ann")])
def test_wrong_usage_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert names(tmp_path, *words).code == 2


def test_without_a_database_nothing_is_done(tmp_path: Path) -> None:
    found = names(tmp_path, "list")
    assert (found.code, found.out) == (1, "")
    assert "there is no database" in found.err


def names(data: Path, *words: str) -> CommandResult:
    return chainboard("names", "--data", data, *words)
