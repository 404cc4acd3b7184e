"""Reducers are pure: a fold makes a new board."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.gamekit.game import Game, canonical, diff, fold
from indexer.model import Event


def assert_pure(game: Game, story: Sequence[Event]) -> None:
    """Of a story with every event of the game: each changes the board, and leaves the one before it as it was."""
    assert {event.name for event in story} == set(game.reducers)
    board = game.start
    for event in story:
        before = canonical(board)
        after = fold(game, board, [event])
        assert canonical(board) == before, event.name
        assert diff(board, after), event.name
        board = after
