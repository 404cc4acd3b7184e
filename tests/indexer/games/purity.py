"""Checks that a game's reducers have no side effects. Folding an event must make a new board and
leave the old board unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.gamekit.game import Game, canonical, diff, fold
from indexer.model import Event


def assert_pure(game: Game, story: Sequence[Event]) -> None:
    """Check that folding each event in `story` makes a new board and leaves the old board
    unchanged. The story must contain each type of event in the game."""
    assert {event.name for event in story} == set(game.reducers)
    board = game.start
    for event in story:
        before = canonical(board)
        after = fold(game, board, [event])
        assert canonical(board) == before, event.name
        assert diff(board, after), event.name
        board = after
