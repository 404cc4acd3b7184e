"""What the stateful tests of all games share: a chain that goes back, foretold refusals, folds that change nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from hypothesis.stateful import RuleBasedStateMachine

from indexer.gamekit.game import Game, canonical, fold
from indexer.model import Event, Json
from tests.contracts.support.anvil import GAS, AnvilError, AnvilNode
from tests.contracts.support.contract import Contract, Refused

NO_MATCH = 4_000_000


class MatchMachine(RuleBasedStateMachine):
    """`seen`: events, ends and errors that occurred, so that the test can tell whether it tested them."""

    rules_of: ClassVar[Game]
    anvil: ClassVar[AnvilNode]
    game: ClassVar[Contract]
    seen: ClassVar[Counter[str]]

    def begin_at_head(self) -> None:
        self.snapshot = self.anvil.rpc("evm_snapshot")
        self.time = int(self.anvil.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def teardown(self) -> None:
        """Back to where it began: a long chain would slow Anvil down."""
        if hasattr(self, "snapshot"):
            self.anvil.rpc("evm_revert", self.snapshot)

    def no_such_match(self, sender: str, entry: str, *more: Any) -> None:
        with pytest.raises(Refused) as refused:
            self.game.call(entry, NO_MATCH, *more, sender=sender)
        assert refused.value == Refused("NoSuchMatch", NO_MATCH)

    def refused(self, sender: str, call: tuple[Any, ...], foretold: Refused, value: int = 0, **block: int) -> None:
        """The call is refused so in a block with this time, and this number, if any is named."""
        transaction = {"from": sender, "to": self.game.address, "data": self.game.data(*call), "gas": hex(GAS)}
        transaction["value"] = hex(value)
        with pytest.raises(AnvilError) as refused:
            self.anvil.rpc("eth_call", transaction, "latest", {}, {key: hex(one) for key, one in block.items()})
        told = self.game.refusal(refused.value.data)
        assert Refused(told.name, *map(_hex, told.values)) == foretold
        self.seen[foretold.name] += 1

    def folded(self, board: Json, events: Sequence[Event]) -> Json:
        before = canonical(board)
        after = fold(self.rules_of, board, events)
        assert canonical(board) == before, "a reducer changed the board it was given"
        self.seen.update([after["reason"]] if "reason" in after else [])
        return after


def _hex(value: Any) -> Any:
    return "0x" + value.hex() if isinstance(value, bytes) else value
