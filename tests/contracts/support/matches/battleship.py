"""A Battleship match on a test's chain."""

from __future__ import annotations

import random
from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eth_utils import to_checksum_address

from indexer.rules.battleship import commitment, fault, mask
from tests.contracts.support.contract import Contract, ContractReceipt

OPEN, PLAYING, FINISHED, CANCELLED = 1, 2, 3, 4
WON, RESIGNED, TIMEOUT, CHEATING, CLOSED = 1, 3, 4, 5, 6
NOBODY = "0x" + 40 * "0"
NO_TILE = 255
DAY = 86_400
CLOCK = 3_600
STAKE = 10**18

FLEETS = ("PH12 SH81 DV7 BV51 CH40", "PV0 SV8 DH90 BH36 CV49")
WRAPPING = "PH8 SH81 DV7 BV51 CH40"

BattleshipView = namedtuple(
    "BattleshipView",
    "seq status reason ply clock deadline mover players commitments shots hits revealing pending loser cause revealed"
    " faults token stake winner withdrawn",
)


@dataclass(frozen=True)
class Sealed:
    """A player's secret: the fleet, and the random nonce with which the player has sealed it."""

    ships: str
    nonce: bytes

    @property
    def commitment(self) -> bytes:
        return commitment(self.ships, self.nonce)


def tiles(ships: str) -> set[int]:
    """Return the tiles that a fleet covers. An illegal fleet covers no tiles."""
    covered = 0 if fault(ships) else mask(ships)
    return {tile for tile in range(99) if covered >> tile & 1}


_nonces = random.Random(7)


def seal(ships: str, nonce: bytes | None = None) -> Sealed:
    """Seal a fleet with this nonce. Without a nonce, use a new random nonce."""
    return Sealed(ships, nonce or _nonces.randbytes(32))


def view_of(answer: Any) -> BattleshipView:
    """Return the contract's board as a named tuple with checksummed addresses."""
    view = BattleshipView(*answer)
    return view._replace(
        mover=to_checksum_address(view.mover),
        players=tuple(map(to_checksum_address, view.players)),
        loser=to_checksum_address(view.loser),
        token=to_checksum_address(view.token),
        winner=to_checksum_address(view.winner),
    )


class Battle:
    """A match between two accounts of the node, given by their numbers: `host` (seat 0) and `guest`
    (seat 1). Seat 1 fires first.

    The players answer shots according to `answers` or, by default, according to the fleets that
    they have sealed."""

    def __init__(
        self,
        game: Contract,
        *,
        fleets: tuple[str, str] = FLEETS,
        answers: tuple[str, str] | None = None,
        nonces: tuple[bytes, bytes] | None = None,
        clock: int = CLOCK,
        stake: int = 0,
        token: str = NOBODY,
        host: int = 0,
        guest: int = 1,
        named: bool = False,
    ) -> None:
        self.game, self.node = game, game.node
        self.accounts = (game.node.accounts[host], game.node.accounts[guest])
        first, second = nonces or (None, None)
        self.fleets = (seal(fleets[0], first), seal(fleets[1], second))
        self.tiles = [tiles(each) for each in answers or fleets]
        self.stake, self.token = stake, token
        self.invited = self.accounts[1] if named else NOBODY
        self.opened = game.send(
            self.accounts[0], "invite", self.invited, self.fleets[0].commitment, clock, token, stake, value=self.value
        )
        self.match = self.opened.events[0].match

    @property
    def value(self) -> int:
        """The ether, in wei, that a player sends with a deposit. It is zero if the stake is in
        tokens."""
        return self.stake if self.token == NOBODY else 0

    def accept(self, tile: int = 0, **options: Any) -> ContractReceipt:
        return self.send(1, "accept", self.fleets[1].commitment, tile, **({"value": self.value} | options))

    def send(self, seat: int, function: str, *args: Any, **options: Any) -> ContractReceipt:
        return self.game.send(self.accounts[seat], function, self.match, *args, **options)

    def call(self, seat: int, function: str, *args: Any, **options: Any) -> Any:
        return self.game.call(function, self.match, *args, sender=self.accounts[seat], block="pending", **options)

    def move(self, tile: int, hit: bool | None = None, **options: Any) -> ContractReceipt:
        """Answer the pending shot and fire at `tile`, as the player to move. By default, the answer
        is truthful. If `hit` is given, use its value as the answer."""
        view = self.view
        seat = view.players.index(view.mover)
        true = view.pending in self.tiles[seat]
        return self.send(seat, "move", view.ply, view.pending, true if hit is None else hit, tile, **options)

    def fire(self, first: Iterable[int], second: Iterable[int]) -> None:
        """Make moves until a player has no tile left to fire at. Seat 0 fires at the tiles in
        `first`, and seat 1 at the tiles in `second`."""
        shots = (iter(first), iter(second))
        while (view := self.view).mover != NOBODY:
            tile = next(shots[view.players.index(view.mover)], None)
            if tile is None:
                return
            self.move(tile)

    def sink(self, loser: int) -> None:
        """Play until the winner has hit all 17 tiles of the loser's fleet. The loser's shots all
        miss."""
        winner = 1 - loser
        targets = sorted(self.tiles[loser])
        water = [tile for tile in range(99) if tile not in self.tiles[winner]]
        if self.view.status == OPEN:
            self.accept(targets.pop(0) if winner == 1 else water.pop(0))
        self.fire(*((water, targets) if winner == 1 else (targets, water)))

    def surrender(self, seat: int, sealed: Sealed | None = None, message: str = "", **options: Any) -> ContractReceipt:
        return self._tell("surrender", seat, sealed, message, **options)

    def reveal(self, seat: int, sealed: Sealed | None = None, message: str = "", **options: Any) -> ContractReceipt:
        return self._tell("reveal", seat, sealed, message, **options)

    def _tell(self, function: str, seat: int, sealed: Sealed | None, message: str, **options: Any) -> ContractReceipt:
        fleet = sealed or self.fleets[seat]
        return self.send(seat, function, fleet.ships, fleet.nonce, message, **options)

    def late(self, seconds: int | None = None) -> None:
        """Set the next block's time to the deadline. If `seconds` is given, set it to this number
        of seconds after the newest block instead."""
        now = int(self.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
        self.node.rpc("evm_setNextBlockTimestamp", self.view.deadline if seconds is None else now + seconds)

    def timeout(self, seat: int = 0) -> ContractReceipt:
        self.late()
        return self.send(seat, "claimTimeout")

    @property
    def view(self) -> BattleshipView:
        return view_of(self.game.call("board", self.match))
