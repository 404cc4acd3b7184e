"""Tests that other processes can read the journal's entries, even after a restart. If the journal
can't be read, JournalError gives the reason in plain words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from transactions.fees import Fees
from transactions.journal import Journal, JournalError
from transactions.model import Attempt, TxRequest
from transactions.states import InvalidTransition

ME, OTHER = "0x" + "11" * 20, "0x" + "22" * 20
ATTEMPT = Attempt("0xab", "0xcd", 3, Fees(2**70, 5), cancels=True)


def order(key: str | None = None, chain: str = "1:0xa", account: str = ME) -> TxRequest:
    return TxRequest(chain, account, OTHER, "0x", 2**80, 2**24, key, "run", 1.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path)) as it:
        yield it


def test_what_was_kept_is_there_for_others_as_it_was(journal: Journal, path: Path) -> None:
    tx = journal.transition(journal.add(order("a")), "simulated")
    tx = journal.transition(tx, "signed", nonce=3, attempts=(ATTEMPT,), hash="0xab", reason="é", ceiling=2**90)
    with closing(Journal(path)) as again:
        assert again.get(tx.id) == tx


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    together = Barrier(8)

    def open_at_once(file: Path) -> None:
        together.wait(60)
        Journal(file).close()

    with ThreadPoolExecutor(8) as pool:
        # without the journal's lock, opening 6 of 100 new files would fail in one of the threads
        for number in range(40):
            list(pool.map(open_at_once, [tmp_path / str(number)] * 8))


def test_the_file_keeps_its_keys(journal: Journal, path: Path) -> None:
    tx = journal.transition(journal.add(order("a")), "simulated")
    tx = journal.transition(tx, "signed", nonce=3, attempts=(ATTEMPT,), is_done=True)
    with closing(sqlite3.connect(path)) as database:
        [(closed, text)] = database.execute("SELECT closed, story FROM transactions")
    story = json.loads(text)
    assert closed == 1
    assert {"order", "state", "nonce", "attempts", "closed"} <= story.keys()
    assert story["order"]["to"] == OTHER
    assert story["attempts"][0]["fees"] == {"most": 2**70, "tip": 5}


def test_one_story_a_key_on_each_chain_and_account(journal: Journal) -> None:
    orders = [
        order("a"),
        order("a"),
        order("b"),
        order("a", chain="1:0xb"),
        order("a", account=OTHER),
        order(),
        order(),
    ]
    assert [journal.add(one).id for one in orders] == [1, 1, 2, 3, 4, 5, 6]


def test_many_at_once_add_one(path: Path) -> None:
    journals = [Journal(path) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        some = list(pool.map(lambda number: journals[number % 4].add(order("a")).id, range(40)))
    assert set(some) == {1}
    for one in journals:
        one.close()


def test_a_new_one_takes_over_the_key(journal: Journal) -> None:
    old = journal.add(order("a"))
    new = journal.replace(old, order("a"))
    assert (journal.add(order("a")), journal.replace(old, order("a"))) == (new, new)
    assert len(journal.all("1:0xa", ME)) == 2


def test_it_is_idle_when_nothing_can_change(journal: Journal) -> None:
    assert journal.is_idle(ME)
    tx = journal.add(order())
    assert (journal.is_idle(ME), journal.is_idle(OTHER)) == (False, True)
    journal.transition(tx, "refused")
    assert journal.is_idle(ME)
    sent = journal.transition(
        journal.transition(journal.transition(journal.add(order()), "simulated"), "signed", nonce=0), "sent"
    )
    mined = journal.transition(sent, "mined")
    assert not journal.is_idle(ME)
    journal.transition(mined, "final", is_done=True)
    assert journal.is_idle(ME)


def test_a_step_that_can_not_be_is_refused_and_changes_nothing(journal: Journal) -> None:
    tx = journal.add(order())
    with pytest.raises(InvalidTransition, match="waiting can't become mined"):
        journal.transition(tx, "mined")
    assert journal.get(tx.id) == tx


def test_a_damaged_file_and_one_of_another_version_are_told_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 50)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"journal\.db can't be used: file is not a database"):
        Journal(path)
    assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 7")
    with pytest.raises(JournalError, match="a different version"):
        Journal(path)


def test_a_journal_where_none_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="can't be used"):
        Journal(tmp_path / "file" / "journal.db")
