"""Nim's rules in Python. They return the events that the contract emits for a call."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, carry_out
from indexer.rules.duel import claim_timeout, ended, joined, opened, require_turn, resign

MOST = 3


def create(board: Json, call: Call) -> list[Emitted]:
    return opened(board, call, call.address("opponent"))


def take(board: Json, call: Call) -> list[Emitted]:
    require_turn(board, call)
    stones, most = call.uint("stones", 8), min(MOST, board["stones"])
    if not 1 <= stones <= most:
        raise IllegalMove(f"a move takes 1 to {most} stones, not {stones}")
    left = board["stones"] - stones
    taken: Emitted = ("Taken", {"ply": board["ply"], "by": call.account, "stones": stones, "left": left})
    return [taken] if left else [taken, ended(call.account, "won")]


ACTIONS = {"create": create, "join": joined, "take": take, "resign": resign, "claimTimeout": claim_timeout}


def events(board: Json, call: Call) -> list[Emitted]:
    return carry_out(ACTIONS, board, call)
