"""A Deblockle match on a test's chain."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from eth_utils import to_checksum_address

from tests.contracts.support.contract import Contract, ContractReceipt

PLAYING = 2
NEAR, BOARD = 0, 1
NOBODY = "0x" + 40 * "0"
CLOCK = 3_600
STAKE, RATE = 1_000, 2
"""The stake and the rate per second in the game's rules' example. A deposit streams back in 500
seconds."""

SHEET_GAME = (
    ((4, 7), (3, 7), (6, 3, 5)),
    ((4, 1), (5, 1), (6, 3, 5)),
    ((3, 7), (3, 6), (4, 6, 5)),
    ((3, 6), (4, 4), None),
    ((5, 1), (5, 2), (3, 1, 5)),
    ((5, 2), (5, 6), None),
    ((4, 4), (5, 4), (2, 6, 4)),
    ((5, 4), (4, 3), None),
    ((5, 6), (5, 5), (6, 3, 5)),
    ((4, 3), (4, 2), (1, 2, 4)),
)
"""The example match in the game's rules, with one cube per player (section 4.9). Each ply has a
start square and a target square. A roll also has the cube's faces after the roll."""

Square = tuple[int, int]
Cube = namedtuple("Cube", "id x y up front right")
DeblockleView = namedtuple(
    "DeblockleView",
    "seq status reason ply clock deadline mover players winner cubes ruleset phase hopper rolls hops passes quiet token"
    " stake rate streamed withdrawn left",
)


def view_of(answer: Any) -> DeblockleView:
    """Return the contract's board as a named tuple with checksummed addresses."""
    view = DeblockleView(*answer)
    return view._replace(
        mover=to_checksum_address(view.mover),
        players=tuple(map(to_checksum_address, view.players)),
        winner=to_checksum_address(view.winner),
        token=to_checksum_address(view.token),
        left=tuple(Cube(*cube) for cube in view.left),
    )


def squares(mask: int) -> set[Square]:
    """Return the squares whose bits are set in this bitboard."""
    return {(bit % 7 + 1, bit // 7 + 1) for bit in range(49) if mask >> bit & 1}


class DeblockleTable:
    """A match between two accounts of the node, given by their numbers: `host` (seat 0) and `guest`
    (seat 1). Seat 0 rolls first."""

    def __init__(
        self,
        game: Contract,
        cubes: int = 1,
        ruleset: int = NEAR,
        *,
        clock: int = CLOCK,
        stake: int = 0,
        rate: int | None = None,
        token: str = NOBODY,
        host: str | None = None,
        guest: str | None = None,
        named: bool = False,
        rematch_of: int = 0,
        join: bool = True,
    ) -> None:
        self.game, self.node = game, game.node
        self.accounts = (host or self.node.accounts[0], guest or self.node.accounts[1])
        self.token, self.stake = token, stake
        self.rate = (RATE if stake else 0) if rate is None else rate
        self.terms = (cubes, ruleset, token if stake else NOBODY, stake, self.rate, clock)
        self.invited = self.accounts[1] if named else NOBODY
        self.opened = game.send(
            self.accounts[0], "create", self.invited, cubes, ruleset, token, stake, self.rate, clock, rematch_of,
            value=self.value,
        )  # fmt: skip
        self.match = self.opened.events[0].match
        self.joined = self.join() if join else None

    @property
    def value(self) -> int:
        """The ether, in wei, that a player sends with a deposit. It is zero if the stake is in
        tokens."""
        return self.stake if self.token == NOBODY else 0

    def join(self, **options: Any) -> ContractReceipt:
        return self.send(1, "join", *self.terms, **({"value": self.value} | options))

    def send(self, seat: int, function: str, *args: Any, **options: Any) -> ContractReceipt:
        return self.game.send(self.accounts[seat], function, self.match, *args, **options)

    def move(self, start: Square, end: Square) -> ContractReceipt:
        """Make the next roll or hop as the player to move."""
        view = self.view
        return self.send(view.players.index(view.mover), "makeMove", view.ply, *start, *end)

    def skip(self) -> ContractReceipt:
        view = self.view
        return self.send(view.players.index(view.mover), "passMove", view.ply)

    def play(self, plies: int = len(SHEET_GAME)) -> list[ContractReceipt]:
        """Play the first `plies` plies of the example match in the game's rules."""
        return [self.move(start, end) for start, end, _ in SHEET_GAME[:plies]]

    @property
    def now(self) -> int:
        return int(self.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def at(self, time: int) -> None:
        self.node.rpc("evm_setNextBlockTimestamp", time)

    def late(self, seconds: int | None = None) -> None:
        """Set the next block's time to the deadline. If `seconds` is given, set it to this number
        of seconds after the newest block instead."""
        self.at(self.view.deadline if seconds is None else self.now + seconds)

    @property
    def view(self) -> DeblockleView:
        return view_of(self.game.call("board", self.match))
