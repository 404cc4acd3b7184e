"""Our games in the kit's hands: random moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chaos.game import MatchView, Move, Play
from indexer.gamekit.contract_view import STATUS
from indexer.gamekit.lifecycle import NOBODY


def three_in_a_row(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Mostly the mover's mark on a random cell; now and then an offer, a resignation, a cell that is taken."""
    if table is None:
        return Move(random.randrange(len(players)), "create", (NOBODY, random.choice((0, 3600))))
    board, match = table.board, table.match
    status = STATUS[board["status"]]
    if status == "open":
        return Move(random.randrange(len(players)), "accept", (match,))
    if status != "playing":
        return Move(players.index(board["host"]), "rematch", (match,))
    mover = players.index(board["mover"])
    how = random.random()
    if how < 0.1:
        return Move(mover, "offerRestart", (match,))
    if how < 0.15:
        return Move(mover, "resign", (match,))
    row, column = divmod(random.randrange(9), 3)
    return Move(mover, "move", (match, board["ply"], row, column))


def touche_coule(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Ships, turns, changes of position and talk, on a small sea."""
    if table is None:
        return Move(random.randrange(len(players)), "create", (8, 8, False))
    board, match = table.board, table.match
    owners = sorted({players.index(ship["owner"]) for ship in board["ships"]})
    if STATUS[board["status"]] == "open":
        if len(owners) > 1 and random.random() < 0.5:
            return Move(random.choice(owners), "turn", (match, 0))
        return Move(random.randrange(len(players)), "register", (match,))
    player = random.choice(owners or [0])
    how = random.choice(("turn", "turn", "turn", "changePosition", "communicate"))
    return Move(player, how, (match, board["ply"]) if how == "turn" else (match,))


PLAYS = (Play("tic-tac-toe", three_in_a_row), Play("touche-coule", touche_coule))
