"""The contract's own count of a match's events (`seqOf`), beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from contracts.calls import encode_call
from indexer.model import Block, Deployment, MatchKey, match_name
from indexer.node import BAD_ANSWER, Node, NodeError

CALLS_PER_BATCH = 100
COUNT = "seqOf"
SELECTOR = len("0x") + 8


class Unconfirmed(Exception):
    """The contract has counted another number of events than the node's logs have."""

    def __init__(self, game: str, match: int, counted: int, given: int) -> None:
        super().__init__(
            f"{match_name(game, match)}: the contract has counted {counted} events, the node's logs {given}"
        )
        self.game, self.match, self.counted, self.given = game, match, counted, given


class Counts:
    """Asks the contracts. One that has no `seqOf` is not asked."""

    def __init__(self, node: Node, deployments: Iterable[Deployment]) -> None:
        self._node = node
        self._asked = [
            (one, encode_call(one.abi, COUNT, (0,))[:SELECTOR])
            for one in deployments
            if any(entry.get("name") == COUNT for entry in one.abi)
        ]

    async def confirm(self, seqs: Mapping[MatchKey, int], at: Block) -> None:
        """Compares the last `seq` of these matches with the contract's at the end of a block. Raises Unconfirmed."""
        calls = [(key, call) for key in seqs if (call := self._call(key, at)) is not None]
        for start in range(0, len(calls), CALLS_PER_BATCH):
            some = calls[start : start + CALLS_PER_BATCH]
            answers = await self._node.requests([("eth_call", call) for _key, call in some])
            for (key, _call), answer in zip(some, answers, strict=True):
                if (counted := _number(answer)) != seqs[key]:
                    raise Unconfirmed(*key, counted, seqs[key])

    def _call(self, key: MatchKey, at: Block) -> tuple[object, object] | None:
        game, match = key
        for one, selector in self._asked:
            if one.game == game and one.holds(match):
                return {"to": one.address, "data": f"{selector}{match:064x}"}, {"blockHash": at.hash}
        return None


def _number(answer: object) -> int:
    try:
        return int(str(answer), 16)
    except ValueError as error:
        raise NodeError(BAD_ANSWER, f"{COUNT} answered {str(answer)[:80]}") from error
