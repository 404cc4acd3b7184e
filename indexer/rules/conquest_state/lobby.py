"""The lobby of a match: what its creator names, and which seat is whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from indexer.gamekit.lifecycle import NOBODY
from indexer.gamekit.names import parse_address
from indexer.rules.call import Call, Emitted, IllegalMove
from indexer.rules.conquest_state.graph import fault
from indexer.rules.conquest_state.refusal import Refusal

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MIN_GRAIN, MAX_GRAIN = 48, 200
"""Mean cells of a land."""
MIN_CLOCK, MAX_CLOCK = 60, 30 * 86_400
"""Seconds for a command."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the creator names. `invited`: for the seats from 1 on; the zero address for anybody."""

    seed: str
    grain: int
    players: int
    invited: tuple[str, ...]
    clock: int
    rematch_of: int
    graph: bytes

    def events(self, creator: str) -> list[Emitted]:
        reserved = next((one for one in self.invited if one != NOBODY), NOBODY)
        created = {"creator": creator, "opponent": reserved, "clock": self.clock, "rematchOf": self.rematch_of}
        land_map = {"seed": self.seed, "grain": self.grain, "players": self.players, "graph": "0x" + self.graph.hex()}
        found: list[Emitted] = [
            ("MatchCreated", created),
            ("PlayerJoined", {"player": creator, "seat": 0}),
            ("Map", land_map),
        ]
        return [*found, ("Invited", {"accounts": [*self.invited]})] if self.invited else found


def opening(call: Call) -> Opening:
    """Raises IllegalMove. Whether the match may be a rematch, the contract alone judges."""
    seed, grain, players = "0x" + call.word("seed").hex(), call.uint("grain", 8), call.uint("players", 8)
    clock, rematch_of = call.uint("clock", 24), call.uint("rematchOf", 48)
    found = Opening(seed, grain, players, _accounts(call), clock, rematch_of, raw(call, "graph"))
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise Refusal("BadPlayers", players, MIN_PLAYERS, MAX_PLAYERS)
    if len(found.invited) > players - 1:
        raise Refusal("BadPlayers", len(found.invited), 0, players - 1)
    if not MIN_GRAIN <= grain <= MAX_GRAIN:
        raise Refusal("BadGrain", grain, MIN_GRAIN, MAX_GRAIN)
    if not MIN_CLOCK <= clock <= MAX_CLOCK:
        raise Refusal("BadClock", clock, MIN_CLOCK, MAX_CLOCK)
    seated = [call.account]
    for one in found.invited:
        if one in seated:
            raise Refusal("SamePlayer", one)
        seated += [one] if one != NOBODY else []
    if (wrong := fault(found.graph, players)) is not None:
        raise Refusal("BadMap", *wrong)
    return found


def free_seat(number: int, accounts: Sequence[str], invited: Sequence[str], account: str) -> int:
    """The seat that is reserved for the account, else the lowest one for anybody. Raises Refusal."""
    if account in accounts:
        raise Refusal("SamePlayer", account)
    if account in invited:
        return invited.index(account)
    free = [seat for seat, player in enumerate(accounts) if player == NOBODY]
    for seat in free:
        if invited[seat] == NOBODY:
            return seat
    raise Refusal("NotInvited", number, account, invited[free[0]])


def raw(call: Call, name: str) -> bytes:
    """Bytes, given as 0x hex. Raises IllegalMove."""
    value = call.text(name)
    try:
        return bytes.fromhex(value.removeprefix("0x"))
    except ValueError:
        raise IllegalMove(f"{call.action}: {name} is 0x and hex digits") from None


def _accounts(call: Call) -> tuple[str, ...]:
    value = call.arguments.get("invited", ())
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise IllegalMove(f"{call.action}: invited is a list of addresses")
    return tuple(parse_address(one) for one in value)
