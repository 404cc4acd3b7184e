"""Puts a Conquest match into any position by writing to the contract's storage.

`ConquestTable.compare` then checks that the contract reads this position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from eth_abi import encode
from eth_utils import keccak

from indexer.model import Json
from indexer.rules.conquest_state.boards import PHASES
from indexer.rules.conquest_state.state import NONE, ConquestState
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.conquest import ConquestTable
from tests.support.conquest.states import position

LAND_BITS, SOLDIER_BITS, SOLDIERS_PER_WORD, PLANE = 7, 17, 15, 96
ITEM_BITS = 11
SLOTS = 24
"""The number of storage slots, from slot 0 on, in which `_slots` searches for mappings."""
OF_A_TURN = ("draw", "attacks", "collecting", "used", "attacked", "built")


def table_at(game: Contract, graph: bytes, owned: Sequence[Iterable[int]], **more: Any) -> ConquestTable:
    table = ConquestTable(game, len(owned), graph)
    write_state(table, position(graph, owned, **more))
    return table


def write_state(table: ConquestTable, state: ConquestState) -> None:
    """Put the running match into this position. The position must have no pending draw or
    attack."""
    assert (state.draw, state.pairs) == (0, ())
    state.accounts, state.match = table.state.accounts, table.match
    state.events, state.anchor, state.height = [], 0, 0
    head, world = _slots(table)
    _write(table, head, _packed_head(table, state))
    for offset, word in enumerate([*_packed_owners(state), _packed_items(state)]):
        _write(table, world + offset, word)
    for index in range(0, state.graph.lands, SOLDIERS_PER_WORD):
        _write(table, world + 4 + index // SOLDIERS_PER_WORD, _army_word(state, index))
    table.engine.state = state
    table.board = _folded(table.board, state)
    table.compare()


def _slots(table: ConquestTable) -> tuple[int, int]:
    """Find a match's storage slots by their contents. Return the slot of the match's head (its
    status and turn), and the slot of its position."""
    soldiers = _army_word(table.state)
    found = [_slot(table.match, number) for number in range(SLOTS)]
    head = next(slot for slot in found if _read(table, slot) & 0xFFFFFFFF == table.engine.seq)
    return head, next(slot for slot in found if _read(table, slot + 4) == soldiers)


def _army_word(state: ConquestState, first: int = 0) -> int:
    soldiers = state.soldiers[first : first + SOLDIERS_PER_WORD]
    return sum(count << SOLDIER_BITS * at for at, count in enumerate(soldiers))


def _slot(match: int, number: int) -> int:
    return int.from_bytes(keccak(encode(["uint256", "uint256"], [match, number])))


def _packed_head(table: ConquestTable, state: ConquestState) -> int:
    """Return the head of the match (its status and turn) as a storage word. Match.sol and
    TurnBits.sol define the bits."""
    engine = table.engine
    turn = state.trail | state.phase << 32 | sum(1 << item - 1 for item in state.used) << 75
    turn |= state.attacked << 79 | state.built << 80 | state.seats << 81 | state.first << 84
    turn |= state.alive << 87 | state.had_hero << 93
    head = engine.seq | engine.status << 32 | state.ply << 48 | state.mover << 80
    return head | engine.clock << 88 | engine.deadline << 112 | turn << 152


def _packed_owners(state: ConquestState) -> tuple[int, int]:
    """Return the owners of all lands as two storage words. Position.sol defines the bits."""
    planes = [0, 0, 0]
    for land, owner in enumerate(state.owners):
        for bit in range(3):
            planes[bit] |= ((owner + 1 & 7) >> bit & 1 if owner != NONE else 0) << land
    low, high = planes[0] | planes[1] << PLANE, planes[2] | state.ports << PLANE
    for seat in range(state.seats):
        low |= (state.capitals[seat] + 1 & 255) << 192 + LAND_BITS * seat | state.stored[seat] << 234 + 3 * seat
        high |= (state.heroes[seat] + 1 & 255) << 192 + LAND_BITS * seat | state.forced[seat] << 234 + 2 * seat
    return low, high


def _packed_items(state: ConquestState) -> int:
    items = sorted(state.items.items())
    words = (land + 1 | item.fat << 7 | item.turns << 8 for land, item in items)
    return sum(word << ITEM_BITS * at for at, word in enumerate(words))


def _read(table: ConquestTable, slot: int) -> int:
    return int(table.node.rpc("eth_getStorageAt", table.game.address, hex(slot), "latest"), 16)


def _write(table: ConquestTable, slot: int, value: int) -> None:
    table.node.rpc("anvil_setStorageAt", table.game.address, f"0x{slot:064x}", f"0x{value:064x}")


def _folded(board: Json, state: ConquestState) -> Json:
    """Return the index's board for this position. Keep the parts of `board` that the position
    doesn't determine."""
    seats = {str(seat): _seat(state, seat) for seat in range(state.seats)}
    lands = {str(land): _land(state, land) for land in range(state.graph.lands)}
    keep = {key: value for key, value in board.items() if key not in OF_A_TURN}
    found = {**keep, "seats": seats, "lands": lands, "ply": state.ply, "trail": state.trail, "first": state.first}
    found |= {"phase": PHASES[state.phase], "mover": state.accounts[state.mover]}
    found |= {"used": sorted(state.used)} if state.used else {}
    return found | {name: True for name in ("attacked", "built") if getattr(state, name)}


def _seat(state: ConquestState, seat: int) -> Json:
    found: Json = {"alive": state.is_alive(seat)}
    found |= {"capital": state.capitals[seat]} if state.capitals[seat] != NONE else {}
    found |= {"hero": state.heroes[seat]} if state.heroes[seat] != NONE else {}
    found |= {"hadHero": True} if state.had_hero >> seat & 1 else {}
    found |= {"item": state.stored[seat]} if state.stored[seat] else {}
    return found | ({"forced": state.forced[seat]} if state.forced[seat] else {})


def _land(state: ConquestState, land: int) -> Json:
    found: Json = {"soldiers": state.soldiers[land]}
    found |= {"owner": state.owners[land]} if state.owners[land] != NONE else {}
    found |= {"port": True} if state.ports >> land & 1 else {}
    item = state.items.get(land)
    return found | ({"item": {"fat": item.fat, "turns": item.turns}} if item else {})
