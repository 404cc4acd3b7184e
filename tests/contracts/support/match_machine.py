"""The base classes of the games' stateful tests.

They reset the chain, check predicted errors, and check that a reducer leaves its input unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import pytest
from hypothesis.stateful import RuleBasedStateMachine

from indexer.gamekit.game import Game, canonical, fold
from indexer.model import Event, Json
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.node import GAS, Node

NO_MATCH = 4_000_000


class MatchMachine(RuleBasedStateMachine):
    """A stateful test. `seen` counts events, ends and errors, which show the test's coverage."""

    rules_of: ClassVar[Game]
    node: ClassVar[Node]
    game: ClassVar[Contract]
    seen: ClassVar[Counter[str]]

    def begin_at_head(self) -> None:
        self.snapshot = self.node.rpc("evm_snapshot")
        self.time = int(self.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def teardown(self) -> None:
        """Revert the chain to the start, because a long chain slows Anvil down."""
        if hasattr(self, "snapshot"):
            self.node.rpc("evm_revert", self.snapshot)

    def no_such_match(self, sender: str, entry: str, *more: Any) -> None:
        with pytest.raises(Reverted) as caught:
            self.game.call(entry, NO_MATCH, *more, sender=sender)
        assert caught.value == Reverted("NoSuchMatch", NO_MATCH)

    def expect_revert(
        self, sender: str, call: tuple[Any, ...], expected: Reverted, value: int = 0, **block: int
    ) -> None:
        """Check that the contract rejects a call with the predicted error.

        `block` can override the block's number and time."""
        transaction = {"from": sender, "to": self.game.address, "data": self.game.data(*call), "gas": hex(GAS)}
        transaction["value"] = hex(value)
        with pytest.raises(AnvilError) as caught:
            self.node.rpc("eth_call", transaction, "latest", {}, {key: hex(one) for key, one in block.items()})
        told = self.game.decode_error(caught.value.data)
        assert Reverted(told.name, *map(_hex, told.values)) == expected
        self.seen[expected.name] += 1

    def folded(self, board: Json, events: Sequence[Event]) -> Json:
        before = canonical(board)
        after = fold(self.rules_of, board, events)
        assert canonical(board) == before, "a reducer changed its input board"
        self.seen.update([after["reason"]] if "reason" in after else [])
        return after


class SingleMatchMachine(MatchMachine):
    """A test of one match at a time, in which anybody makes any call in any order.

    `match` is the model, which predicts the result of each call. `held` is the expected balance of
    the contract, in wei."""

    senders: ClassVar[list[str]]
    """The accounts from `players_with_keys`."""
    revert_type: ClassVar[type[Exception]]
    """The model's exception. Its arguments are the error's name and values."""
    match: Any
    board: Json

    def begin_at_head(self) -> None:
        super().begin_at_head()
        self.held, self.seats = 0, len(self.senders) // 2
        self.keys = dict(zip(self.senders[self.seats + 1 :], self.senders[: self.seats], strict=True))

    def key_of(self, player: int) -> int:
        """Return the index of the sender that is this player's session key. The outsider has no
        key, so return the outsider's own index."""
        return player if player == self.seats else player + self.seats + 1

    def _step(
        self,
        sender: int,
        *call: Any,
        play: Callable[[], list[tuple[str, dict[str, Any]]]],
        check: Callable[[], None] = lambda: None,
        value: int = 0,
    ) -> None:
        """Make a call in the next block, one second later, and compare the result with the model.

        The model's `play` returns the predicted events. `check` and `play` raise `revert_type` if
        the contract must reject the call."""
        self.time += 1
        before = self.match.seq
        try:
            check()
            expected = play()
        except self.revert_type as revert:
            self.expect_revert(self.senders[sender], call, Reverted(*revert.args), value, time=self.time)
            return
        self.node.rpc("evm_setNextBlockTimestamp", self.time)
        receipt = self.game.send(self.senders[sender], *call, value=value)
        assert [(event.match, event.name, event.args) for event in receipt.events] == [
            (self.match.number, *event) for event in expected
        ]
        assert [event.seq for event in receipt.events] == list(range(before + 1, self.match.seq + 1))
        self.held += value - sum(int(args["amount"]) for args in receipt.named("Withdrawn"))
        self.seen.update(name for name, _ in expected)
        self.board = self.folded(self.board, receipt.events)
        self._look()

    def _look(self) -> None:
        """Compare the model with the contract's views and balance, and with the folded board."""
        raise NotImplementedError


def _hex(value: Any) -> Any:
    return "0x" + value.hex() if isinstance(value, bytes) else value
