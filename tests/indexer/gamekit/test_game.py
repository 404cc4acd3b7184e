"""Tests that `diff` returns a patch that turns the old board into the new board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.gamekit.game import Action, board_hash, canonical, diff
from indexer.model import Json
from tests.support.merge_patch import merged

values = st.recursive(
    st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=4),
    max_leaves=12,
)
boards = st.dictionaries(st.text("abc", max_size=2), values, max_size=5)


@given(boards, boards)
def test_a_patch_turns_one_board_into_the_other(before: Json, after: Json) -> None:
    assert canonical(merged(before, diff(before, after))) == canonical(after)


@given(boards)
def test_equal_boards_have_an_empty_patch(board: Json) -> None:
    assert diff(board, dict(board)) == {}


def test_true_and_one_are_different() -> None:
    assert diff({"a": 1}, {"a": True}) == {"a": True}


def test_a_hash_does_not_depend_on_the_order_of_keys() -> None:
    assert board_hash({"b": 1, "a": {"d": "é", "c": 2}}) == board_hash({"a": {"c": 2, "d": "é"}, "b": 1})
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()


@pytest.mark.parametrize(
    ("board", "gas"),
    [({}, 50_000), ({"open": 3}, 80_000), ({"open": [[1, 2], [1, 3]]}, 70_000), ({"open": {"7": 1}}, 60_000)],
)
def test_a_gas_limit_goes_by_what_the_board_counts(board: Json, gas: int) -> None:
    assert Action("call", "Call", gas=50_000, gas_each=10_000, gas_of="open").gas_limit(board) == gas
    assert Action("call", "Call", gas=50_000).gas_limit(board) == 50_000
