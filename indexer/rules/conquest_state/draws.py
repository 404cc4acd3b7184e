"""Decides the random result (the open draw) for which a match waits."""

from __future__ import annotations

from indexer.rules.conquest_state.battle import resolve
from indexer.rules.conquest_state.chance import STARTER, Chance, trail_after_draw
from indexer.rules.conquest_state.items import collect, turn_begins
from indexer.rules.conquest_state.state import BATTLE, COLLECT, FIRST, NO_DRAW, NONE, TURN, ConquestState
from indexer.rules.conquest_state.turns import begin_capitals


def carry_out(state: ConquestState, seed: bytes) -> None:
    """Decide the open random draw. `seed`: the 32 bytes of a block's hash, or zeros if the hash is
    no longer available."""
    kind, block = state.draw, state.anchor + 1
    state.trail = trail_after_draw(state.trail, seed)
    state.draw = NO_DRAW
    state.anchor = 0
    state.emit("Drawn", kind=kind, entropyBlock=block, seed="0x" + seed.hex(), trail=state.trail)
    chance = Chance(seed, state.match, state.ply)
    if kind == FIRST:
        begin_capitals(state, 0 if chance.has_no_hash else chance.number(STARTER) % state.seats)
    elif kind == TURN:
        turn_begins(state, chance)
    elif kind == BATTLE:
        resolve(state, chance)
    elif kind == COLLECT:
        land, state.collecting = state.collecting, NONE
        collect(state, state.owners[land], land, chance)
