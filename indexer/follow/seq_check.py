"""Compares our number of events in a match with the contract's number (`seqOf`)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from contracts.abi import encode_call
from contracts.rpc_errors import BAD_ANSWER
from indexer.model import Block, Deployment, MatchKey, match_name
from indexer.node.client import Node, NodeError
from indexer.node.multicall import Multicall, View

SEQ_OF = "seqOf"
SELECTOR = len("0x") + 8
REVERT_CODE = 3
"""The JSON-RPC error code with which most nodes report that a call reverted."""
PAUSES_SECONDS = (0.0, 0.002, 0.01, 0.05, 0.2)
"""The pauses, in seconds, before each check for a new head. They are short because a block that is
being mined appears soon."""


class SeqMismatch(Exception):
    """The contract has counted more or fewer events in a match than the node's logs contain."""

    def __init__(self, game: str, match: int, counted: int, in_logs: int) -> None:
        super().__init__(
            f"{match_name(game, match)}: the contract has counted {counted} events, but the node's logs have {in_logs}"
        )
        self.game, self.match, self.counted, self.in_logs = game, match, counted, in_logs


class SeqCheck:
    """Compares our number of events in each match with the contract's number, `seqOf`. Skips
    contracts without `seqOf`."""

    def __init__(self, node: Node, deployments: Iterable[Deployment]) -> None:
        self._node, self._multicall = node, Multicall(node)
        self._contracts = [
            (one, encode_call(one.abi, SEQ_OF, (0,))[:SELECTOR])
            for one in deployments
            if any(entry.get("name") == SEQ_OF for entry in one.abi)
        ]

    async def check(self, seqs: Mapping[MatchKey, int], at: Block) -> None:
        """Compare our last event number of each match with the contract's number at the end of a
        block. `seqs`: our numbers.

        If a number differs, compare it again after the next block. Raises SeqMismatch if it still
        differs."""
        if wrong := await self._mismatches(seqs, at):
            await wait_for_next_block(self._node, at)
            wrong = await self._mismatches({key: seqs[key] for key in wrong}, at)
        for key, counted in wrong.items():
            raise SeqMismatch(*key, counted, seqs[key])

    async def _mismatches(self, seqs: Mapping[MatchKey, int], at: Block) -> dict[MatchKey, int]:
        """Return the contract's number for each match whose number in `seqs` is different."""
        views = {key: view for key in seqs if (view := self._view(key)) is not None}
        counted = await self._multicall.counts(list(views.values()), at.hash)
        for key, number in zip(views, counted, strict=True):
            if number is None:
                raise NodeError(BAD_ANSWER, f"the call to {SEQ_OF} failed for {match_name(*key)}")
        found = zip(views, counted, strict=True)
        return {key: number for key, number in found if number is not None and number != seqs[key]}

    async def seq_at(self, key: MatchKey, height: int) -> int:
        """Return the number of events that the contract has counted in a match, after the block at
        `height`.

        The number is 0 before the match opens. Raises NodeError if the node doesn't have that
        block's state, or if the contract has no `seqOf`."""
        view = self._view(key)
        if view is None:
            raise NodeError(BAD_ANSWER, f"the contract of {match_name(*key)} has no {SEQ_OF}")
        address, data = view
        try:
            return _number(await self._node.request("eth_call", ({"to": address, "data": data}, hex(height))))
        except NodeError as error:
            if error.code == REVERT_CODE or "revert" in error.message:
                return 0
            raise

    def _view(self, key: MatchKey) -> View | None:
        game, match = key
        for one, selector in self._contracts:
            if one.game == game and one.has_match(match):
                return one.address, f"{selector}{match:064x}"
        return None


async def wait_for_next_block(node: Node, at: Block) -> None:
    """Wait until there is a block after `at`, for at most the sum of `PAUSES_SECONDS`.

    Anvil answers a call at its head from its current state, even while it mines the next block.
    Therefore, a count can include events of the next block. The state of an older block no longer
    changes."""
    for pause in PAUSES_SECONDS:
        await asyncio.sleep(pause)
        if (await node.head()).height > at.height:
            return


def _number(answer: object) -> int:
    try:
        return int(str(answer), 16)
    except ValueError as error:
        raise NodeError(BAD_ANSWER, f"{SEQ_OF} returned {str(answer)[:80]}, which is not a number") from error
