"""Checks that a Conquest position satisfies the invariants, and that every change in the number of
soldiers has a cause."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.call import Emitted
from indexer.rules.conquest_state.state import CAPITAL, MAX_SOLDIERS_PER_LAND, NONE, ConquestState

OTHER_CAUSES = {"BattleResolved", "HeroDied", "ItemCollected"}
"""The events besides reinforcement that can change the number of soldiers."""
REINFORCE, MOVE = 1, 6


def check_position(state: ConquestState) -> None:
    """Check the invariants in the rules (5.9), and the assumptions that the code makes about a
    state."""
    assert len(state.owners) == len(state.soldiers) == state.graph.lands
    assert all(0 <= count <= MAX_SOLDIERS_PER_LAND for count in state.soldiers)
    for seat in range(state.seats):
        own, capital, hero = state.lands(seat), state.capitals[seat], state.heroes[seat]
        if capital != NONE:
            assert state.is_alive(seat)
            assert state.owners[capital] == seat
        if hero != NONE:
            assert state.owners[hero] == seat
            assert state.had_hero >> seat & 1
        if not state.is_alive(seat):
            assert (own, capital, hero, state.stored[seat]) == ([], NONE, NONE, 0)
        elif state.phase != CAPITAL:
            assert capital in own
        assert 0 <= state.stored[seat] <= 4
        assert state.forced[seat] < 3
    assert not state.alive >> state.seats
    for land, item in state.items.items():
        assert 1 <= item.turns <= 4
        assert state.owners[land] == NONE
    assert all(state.graph.touches_water(land) for land in range(state.graph.lands) if state.ports >> land & 1)
    if not state.is_over:
        assert state.mover == NONE or state.is_alive(state.mover)
        assert bool(state.pairs) == (state.draw == 3)


def check_soldiers(before: ConquestState, events: list[Emitted], after: ConquestState) -> None:
    """Check that only reinforcement, damage, halving and items have changed the total number of
    soldiers. Moves and transfers must not change it."""
    names, kinds = {name for name, _ in events}, {args["kind"] for name, args in events if name == "Commanded"}
    if names & OTHER_CAUSES:
        return
    difference = sum(after.soldiers) - sum(before.soldiers)
    if REINFORCE in kinds:
        (land,) = [bytes.fromhex(args["data"][2:])[0] for name, args in events if name == "Commanded"]
        seat = before.owners[land]
        assert difference == min(3 * len(before.lands(seat)), MAX_SOLDIERS_PER_LAND - before.soldiers[land])
    else:
        assert difference == 0
        assert ("Soldiers" in names) <= (MOVE in kinds)


def changes_of(args: Json) -> list[tuple[int, int]]:
    """Return the lands that a Soldiers event lists, each with its number of soldiers. Check that
    the lands are in ascending order."""
    data = bytes.fromhex(args["changes"][2:])
    found = [(data[at], int.from_bytes(data[at + 1 : at + 4])) for at in range(0, len(data), 4)]
    assert found == sorted(found)
    return found
