"""The rules of Battleship. This module reads fleets, computes commitments, and returns the events
that a contract call emits.

Tiles are numbered 0..98, row by row from the top left, 9 per row. A ship is written as its letter,
H (to the right) or V (down), and its top or left tile. A fleet is a string of five ships in any
order, separated by spaces: `PH12 SH81 DV7 BV51 CH40`. A commitment is the SHA-256 hash of the list
[ships, nonce] in the encoding BIPF. It seals the fleet until the reveal."""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum

from indexer.gamekit.lifecycle import NOBODY, REASONS, SECONDS_PER_DAY
from indexer.games.battleship import HEIGHT, MAX_MESSAGE, NOT_SEALED, WIDTH
from indexer.model import Json
from indexer.rules.bipf import bipf
from indexer.rules.call import Call, Emitted, IllegalMove, carry_out, require_status
from indexer.rules.duel import (
    cancelled,
    ended,
    joined,
    opened,
    other_than,
    require_player,
    require_timeout,
    require_turn,
)

TILES = WIDTH * HEIGHT
LENGTHS = {"P": 2, "S": 3, "D": 3, "B": 4, "C": 5}
"""The number of tiles of each ship. The letters stand for patrol boat, submarine, destroyer,
battleship and carrier."""
OCCUPIED = sum(LENGTHS.values())
MAX_SHIPS = 255
"""The maximum length of a fleet's string, in bytes."""
MIN_STAKE_CLOCK, REVEAL_WINDOW = 60, SECONDS_PER_DAY
"""Both in seconds: the shortest clock in a match with a stake, and the shortest time limit for
revealing the fleets."""

_SHIP = re.compile(r"([PSDBC])([HV])(0|[1-9][0-9]?)", re.ASCII)


class FleetFault(IntEnum):
    """The faults that a revealed fleet can have. The numbers are the contract's. If several faults
    apply, the one with the lowest number counts."""

    NONE = 0
    MALFORMED = 1
    NOT_THE_FIVE_SHIPS = 2
    OFF_THE_GRID = 3
    OVERLAP = 4
    FALSE_ANSWER = 5


class IllegalFleet(ValueError):
    """The text doesn't describe a legal fleet."""

    def __init__(self, ships: str, fault: FleetFault) -> None:
        super().__init__(f"{ships!r}: {fault.name.lower().replace('_', ' ')}")
        self.ships, self.fault = ships, fault


def parse(ships: str) -> dict[str, tuple[int, ...]]:
    """Return the tiles of each ship. The keys are the ships' letters, in the order of the text.
    Raises IllegalFleet."""
    placed = [_ship(ships, text) for text in ships.split(" ")]
    if sorted(letter for letter, _, _ in placed) != sorted(LENGTHS):
        raise IllegalFleet(ships, FleetFault.NOT_THE_FIVE_SHIPS)
    if any(not fits(LENGTHS[ship[0]], *ship[1:]) for ship in placed):
        raise IllegalFleet(ships, FleetFault.OFF_THE_GRID)
    fleet = {letter: tiles_of(LENGTHS[letter], down, tile) for letter, down, tile in placed}
    if len({tile for tiles in fleet.values() for tile in tiles}) != OCCUPIED:
        raise IllegalFleet(ships, FleetFault.OVERLAP)
    return fleet


def mask(ships: str) -> int:
    """Return a mask of the fleet's tiles: bit i is set if a ship covers tile i. Raises
    IllegalFleet."""
    return sum(1 << tile for tiles in parse(ships).values() for tile in tiles)


def fault(ships: str) -> FleetFault:
    """Return the fault of a fleet's string. This function doesn't check the player's answers to
    shots."""
    try:
        parse(ships)
    except IllegalFleet as illegal:
        return illegal.fault
    return FleetFault.NONE


def commitment(ships: str, nonce: bytes) -> bytes:
    """Return the commitment (32 bytes) that seals a fleet. Any string can be sealed, but the
    contract accepts only nonces of 32 bytes."""
    return hashlib.sha256(bipf([ships, nonce])).digest()


def _ship(ships: str, text: str) -> tuple[str, bool, int]:
    found = _SHIP.fullmatch(text)
    if found is None or int(found[3]) >= TILES:
        raise IllegalFleet(ships, FleetFault.MALFORMED)
    return found[1], found[2] == "V", int(found[3])


def fits(length: int, down: bool, tile: int) -> bool:
    """Return True if a ship of `length` tiles stays on the grid. `tile` is its first tile."""
    y, x = divmod(tile, WIDTH)
    return (y + length <= HEIGHT) if down else (x + length <= WIDTH)


def tiles_of(length: int, down: bool, tile: int) -> tuple[int, ...]:
    """Return all tiles of a ship whose first tile is `tile`."""
    step = WIDTH if down else 1
    return tuple(range(tile, tile + step * length, step))


# ---- contract calls: each function returns the call's events, or raises IllegalMove


def invite(board: Json, call: Call) -> list[Emitted]:
    stake, token = call.uint("stake", 96), call.address("token")
    staked: list[Emitted] = [("Staked", {"token": token, "amount": str(stake)})] if stake else []
    found = opened(board, call, call.address("opponent"), MIN_STAKE_CLOCK if stake else 0)
    return [*found, *staked, _sealed(board, call)]


def accept(board: Json, call: Call) -> list[Emitted]:
    return [*joined(board, call), _sealed(board, call), _shot(call, {}, 0)]


def decline(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "open")
    if board.get("opponent") != call.account:
        raise IllegalMove(f"only an invited opponent can decline the match, not {call.account}")
    return [ended(None, "cancelled")]


def move(board: Json, call: Call) -> list[Emitted]:
    """Answer the opponent's shot. Then fire back, unless the answer ends the shooting."""
    _require_phase(board, "shots")
    require_turn(board, call)
    pending, answered, hit = board["pending"]["tile"], call.uint("answeredTile", 8), call.flag("hit")
    if answered != pending:
        raise IllegalMove(f"the pending shot is at tile {pending}, not {answered}")
    answer: Emitted = ("Answered", {"ply": board["ply"], "by": call.account, "tile": pending, "hit": hit})
    shooter = other_than(board, call.account)
    shots = board["players"][shooter]["shots"]
    hits = sum(found == "hit" for found in shots.values()) + hit
    if hits == OCCUPIED:
        return [answer, _over(board, call, call.account, "won")]
    if hits + TILES - (len(shots) + 1) < OCCUPIED:
        return [answer, ended(shooter, "cheating-proved")]
    return [answer, _shot(call, board["players"][call.account]["shots"], board["ply"])]


def surrender(board: Json, call: Call) -> list[Emitted]:
    _require_phase(board, "shots")
    require_player(board, call)
    return [_over(board, call, call.account, "resigned"), _revealed(board, call)]


def reveal(board: Json, call: Call) -> list[Emitted]:
    """Reveal the caller's fleet. When both fleets are revealed, the match is decided."""
    _require_phase(board, "reveals")
    require_player(board, call)
    revealed_event = _revealed(board, call)
    faults = {**_faults(board), call.account: revealed_event[1]["fault"]}
    return [revealed_event] if None in faults.values() else [revealed_event, _settlement(board, faults)]


def claim_timeout(board: Json, call: Call) -> list[Emitted]:
    require_timeout(board, call)
    if board["phase"] == "reveals":
        return [_settlement(board, _faults(board))]
    return [_over(board, call, board["mover"], "timeout")]


def withdraw(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "finished", "cancelled")
    require_player(board, call)
    amount = due(board, call.account)
    if not amount:
        raise IllegalMove(f"there is nothing to withdraw for {call.account}")
    payout = {"account": call.account, "token": board.get("token", NOBODY), "amount": str(amount)}
    return [("Withdrawn", payout)]


def due(board: Json, account: str) -> int:
    """Return the amount that an account can still withdraw, in wei or token units.

    After the end, the winner gets both stakes. If there is no winner, both players get their stakes
    back."""
    if board["status"] not in ("finished", "cancelled") or account in board["withdrawn"]:
        return 0
    shares = 2 * (board["winner"] == account) if "winner" in board else 1
    return shares * int(board["stake"])


def _require_phase(board: Json, phase: str) -> None:
    require_status(board, "playing")
    if board["phase"] != phase:
        raise IllegalMove(f"the match is in the phase {board['phase']!r}, but this action needs the phase {phase!r}")


def _sealed(board: Json, call: Call) -> Emitted:
    sealed_by = "0x" + call.word("commitment").hex()
    if sealed_by == NOT_SEALED or any(fleet["commitment"] == sealed_by for fleet in board["fleets"].values()):
        raise IllegalMove(f"the commitment {sealed_by} must differ from zero and from the opponent's commitment")
    return "Sealed", {"player": call.account, "commitment": sealed_by}


def _shot(call: Call, fired: Json, ply: int) -> Emitted:
    tile = call.uint("tile", 8)
    if tile >= TILES:
        raise IllegalMove(f"tiles are 0 to {TILES - 1}, not {tile}")
    if str(tile) in fired:
        raise IllegalMove(f"{call.account} has already fired at tile {tile}")
    return "Shot", {"ply": ply, "by": call.account, "tile": tile}


def _over(board: Json, call: Call, loser: str, cause: str) -> Emitted:
    deadline = call.block.time + max(board["clock"], REVEAL_WINDOW)
    return "GameOver", {"loser": loser, "cause": REASONS.index(cause), "deadline": deadline}


def _revealed(board: Json, call: Call) -> Emitted:
    ships, nonce, message = call.text("ships"), call.word("nonce"), call.text("message")
    for text, most in ((ships, MAX_SHIPS), (message, MAX_MESSAGE)):
        if len(text.encode()) > most:
            raise IllegalMove(f"a text of {len(text.encode())} bytes is too long: at most {most} bytes are allowed")
    fleet = board["fleets"][call.account]
    if "fault" in fleet:
        raise IllegalMove(f"{call.account} has already revealed its fleet")
    if "0x" + commitment(ships, nonce).hex() != fleet["commitment"]:
        raise IllegalMove(f"the fleet {ships[:60]!r} with this nonce does not match the commitment")
    found, answers = fault(ships), board["players"][other_than(board, call.account)]["shots"]
    if not found and any((outcome == "hit") != bool(mask(ships) >> int(tile) & 1) for tile, outcome in answers.items()):
        found = FleetFault.FALSE_ANSWER
    data = {key: "0x" + text.encode().hex() for key, text in (("ships", ships), ("message", message))}
    return "Revealed", {"by": call.account, **data, "nonce": "0x" + nonce.hex(), "fault": int(found)}


def _faults(board: Json) -> dict[str, int | None]:
    """Return the fault of each account's fleet. The fault is None until the fleet is revealed."""
    return {account: fleet.get("fault") for account, fleet in board["fleets"].items()}


def _settlement(board: Json, faults: dict[str, int | None]) -> Emitted:
    """Return the event that ends the match after the reveals. The rules are those of
    Settlement.sol.

    The loser of the shooting can win only after revealing a fleet without a fault. The loser then
    wins if the opponent's fleet has a fault. After 17 hits, the loser also wins if the opponent
    doesn't reveal the fleet."""
    loser = board["loser"]
    best = other_than(board, loser)
    if faults[best] == 0:
        return ended(best, "cheating-proved" if faults[loser] else board["cause"])
    if faults[loser] == 0:
        silent = loser if board["cause"] == "won" else None
        return ended(loser, "cheating-proved") if faults[best] else ended(silent, "timeout")
    return ended(None, "cheating-proved" if faults[loser] or faults[best] else "timeout")


ACTIONS = {
    "invite": invite,
    "accept": accept,
    "decline": decline,
    "cancel": cancelled,
    "move": move,
    "surrender": surrender,
    "reveal": reveal,
    "claimTimeout": claim_timeout,
    "withdraw": withdraw,
}


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove. Deposits, and who
    pays them, are not checked here, only in the contract."""
    return carry_out(ACTIONS, board, call)
