"""Tests that no two nicknames in the database look alike, and that each account has its latest
nickname. This must hold even if several players claim a nickname at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.games import GAMES
from indexer.store.shared.nicknames import (
    Nickname,
    NicknameBlocked,
    Nicknames,
    NicknameSuperseded,
    NicknameTaken,
)
from indexer.store.store import Store
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, contract
from tests.support.databases import Databases

ANN = Nickname(ALICE, "Ann", 10, "0x01")


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def test_the_latest_counts_and_a_look_belongs_to_one_account(store: Store) -> None:
    nicknames = store.nicknames
    nicknames.store(ANN, "ann", {"ann"})
    for issued in (9, 10):
        with pytest.raises(NicknameSuperseded):
            nicknames.store(replace(ANN, name="Eve", issued=issued), "eve", ())
    with pytest.raises(NicknameTaken):
        nicknames.store(Nickname(BOB, "ANN", 20, "0x02"), "ann", ())
    assert nicknames.of([ALICE, BOB]) == [nicknames.find_by_skeleton("ann")] == nicknames.all() == [ANN]
    nicknames.store(replace(ANN, name="", issued=11), "", ())
    assert nicknames.of([ALICE]) == nicknames.of([]) == []
    # any number of accounts can have an empty nickname
    nicknames.store(Nickname(BOB, "", 1, "0x03"), "", ())
    nicknames.store(Nickname(BOB, "ANN", 20, "0x02"), "ann", ())
    found = nicknames.find_by_skeleton("ann")
    assert (found and found.account, nicknames.find_by_skeleton("eve")) == (BOB, None)


def test_a_blocked_word_is_in_no_new_name_and_a_removed_name_is_blocked(store: Store) -> None:
    nicknames = store.nicknames
    nicknames.store(ANN, "ann", {"ann"})
    nicknames.remove(ANN, "ann")
    nicknames.block("rude", "Rude")
    nicknames.block("rude", "rude")
    assert nicknames.all() == []
    assert nicknames.blocked() == ["Ann", "rude"]
    with pytest.raises(NicknameSuperseded):
        nicknames.store(ANN, "ann", ())
    for keys in ({"ann"}, {"ann", "lee"}, {"rude"}):
        with pytest.raises(NicknameBlocked):
            nicknames.store(replace(ANN, issued=11), "annlee", keys)
    assert [nicknames.unblock("ann"), nicknames.unblock("ann")] == [True, False]
    nicknames.store(replace(ANN, issued=11), "ann", {"ann"})


def test_of_many_at_once_one_has_the_name(databases: Databases, store: Store) -> None:
    """Tests several gateways that try to store the same name. Each gateway has its own database
    connection."""

    def claim(nicknames: Nicknames, n: int) -> bool:
        try:
            nicknames.store(Nickname(f"0x{n:040x}", "Ann", 10, "0x"), "ann", {"ann"})
        except NicknameTaken:
            return False
        return True

    with closing(Store(databases.url(), GAMES)) as other, ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda n: claim((store, other)[n % 2].nicknames, n), range(16)))
    assert sum(won) == 1
    assert len(store.nicknames.all()) == 1


def test_names_outlive_the_index_but_no_other_chain(store: Store) -> None:
    """A player signs a nickname for a chain ID. Tests that the nicknames stay if the chain is
    replaced by a chain with the same ID, and that they are deleted otherwise."""
    store.nicknames.store(ANN, "ann", ())
    store.nicknames.block("rude", "rude")
    with store.exclusive_writer():
        store.delete_blocks_from(0)
        store.reset_to(replace(CHAIN, genesis="0x" + "9" * 64), [contract()], None)
        assert store.nicknames.all() == [ANN]
        store.reset_to(replace(CHAIN, chain_id=CHAIN.chain_id + 1), [contract()], None)
    assert store.nicknames.all() == []
    assert store.nicknames.blocked() == ["rude"]
