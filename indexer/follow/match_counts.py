"""Checks that no match is missing. Compares the stored matches with the number of matches that
each contract reports (`matchRange`).

If the node hides all events of a match, only this number reveals that. The events of the other
matches have no gap."""

from __future__ import annotations

from collections.abc import Iterable

from contracts.abi import encode_call
from contracts.rpc_errors import BAD_ANSWER
from indexer.model import Block, Deployment, Event, match_name
from indexer.node.client import Node, NodeError
from indexer.node.multicall import Multicall
from indexer.store.store import Store

RANGE_VIEW = "matchRange"


class MissingMatch(Exception):
    """The contract has opened a match whose events the node doesn't list. `match` is the number of
    the first missing match. `opened` is the number of the last match that the contract has
    opened."""

    def __init__(self, game: str, match: int, opened: int) -> None:
        super().__init__(
            f"{match_name(game, match)}: the contract has opened matches up to number {opened}, but the node's logs "
            "lack this match"
        )
        self.game, self.match, self.opened = game, match, opened


class MatchCounts:
    """Compares the stored matches with the number of matches that each contract reports
    (`matchRange`). Skips contracts without this view."""

    def __init__(self, node: Node, deployments: Iterable[Deployment]) -> None:
        self._multicall = Multicall(node)
        self._contracts = [one for one in deployments if any(entry.get("name") == RANGE_VIEW for entry in one.abi)]

    async def check(self, at: Block, store: Store, events: Iterable[Event]) -> None:
        """Check that every match that the contracts have opened is in the store or opens in
        `events`.

        The contracts' numbers are read at the end of the block `at`. Raises MissingMatch if a match
        is missing, or NodeError if the node doesn't have that block's state."""
        views = [(one.address, encode_call(one.abi, RANGE_VIEW, ())) for one in self._contracts]
        counted = await self._multicall.counts(views, at.hash)
        opened_now = {(event.game, event.match) for event in events}
        for one, following in zip(self._contracts, counted, strict=True):
            if following is None:
                raise NodeError(BAD_ANSWER, f"the call to {RANGE_VIEW} failed for {one.contract}")
            opened = range(one.first_match, min(following, one.end_match or 2**63))
            with store.read() as snapshot:
                known = snapshot.matches_between(one.game, opened.start, opened.stop)
            missing = (number for number in opened if number not in known and (one.game, number) not in opened_now)
            if (match := next(missing, None)) is not None:
                raise MissingMatch(one.game, match, opened.stop - 1)
