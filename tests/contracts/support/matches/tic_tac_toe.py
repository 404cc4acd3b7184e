"""A Tic-tac-toe match on a test's chain."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from itertools import count
from typing import Any

import pytest
from eth_utils import to_checksum_address

from contracts.abi import checksum
from tests.contracts.support.contract import Contract, ContractReceipt, Reverted
from tests.contracts.support.node import Node

TicTacToeView = namedtuple(
    "TicTacToeView",
    "seq status reason ply clock deadline host challenger mover host_cells challenger_cells winner offered_by rematch",
)
OPEN, PLAYING, FINISHED, CANCELLED = 1, 2, 3, 4
WON, DRAW, RESIGNED, TIMEOUT, _, GIVEN_UP = range(1, 7)
NOBODY = "0x" + 40 * "0"
HOST_WINS = (0, 3, 1, 4, 2)
CHALLENGER_WINS = (0, 4, 1, 2, 8, 6)
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""The moves of the drawn match in the game's rules, as cell numbers."""

_next_number = count(0xFACE0000)


class Grid:
    """A match: the existing match with this `number` or, if no number is given, a new match."""

    def __init__(
        self, game: Contract, host: str, challenger: str, clock: int = 0, number: int | None = None, accept: bool = True
    ) -> None:
        self.game = game
        self.host, self.challenger = host, challenger
        self.match = number or game.send(host, "create", challenger, clock).events[0].match
        if accept and not number:
            self.send(challenger, "accept")

    def send(self, sender: str, function: str, *args: Any) -> ContractReceipt:
        return self.game.send(sender, function, self.match, *args)

    def expect_revert(self, sender: str, function: str, *args: Any) -> Reverted:
        """Make a call that the contract must reject without changing the board. Return the
        error."""
        before = self.view
        with pytest.raises(Reverted) as error:
            self.send(sender, function, *args)
        assert self.view == before
        return error.value

    def play(self, *cells: int) -> list[ContractReceipt]:
        """Set marks on these cells in turn. The player to move sets the first mark."""
        return [self.move(cell // 3, cell % 3) for cell in cells]

    def move(self, row: int, column: int) -> ContractReceipt:
        view = self.view
        return self.send(view.mover, "move", view.ply, row, column)

    @property
    def view(self) -> TicTacToeView:
        return plain(self.game.call("board", self.match))

    @property
    def marks(self) -> list[int]:
        """The mark in each cell: 0 for no mark, 1 for the host's mark, 2 for the challenger's
        mark."""
        view = self.view
        return [(view.host_cells >> cell & 1) + 2 * (view.challenger_cells >> cell & 1) for cell in range(9)]


def plain(view: Iterable[Any]) -> TicTacToeView:
    """Return the contract's board as a named tuple with checksummed addresses."""
    return TicTacToeView(*(checksum(one) if isinstance(one, str) else one for one in view))


def funded_address(node: Node, number: int | None = None) -> str:
    """Return a new account that has some ether but no matches."""
    address = to_checksum_address(f"0x{number or next(_next_number):040x}")
    node.rpc("anvil_setBalance", address, hex(10**20))
    return address


def begun(game: Contract, clock: int = 0) -> Grid:
    """Start a match between two new accounts."""
    return Grid(game, funded_address(game.node), funded_address(game.node), clock)
