"""The contracts' own views beside what was folded from the chain's events: `seqOf` and `board`, after each block whose
state the node still has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from eth_abi.exceptions import DecodingError

from contracts.abi import decode_result, encode_call
from indexer.follow.seq_check import COUNT, Unconfirmed
from indexer.gamekit.game import Game
from indexer.model import Block, Deployment, Json, MatchKey
from indexer.node.client import BAD_ANSWER, Node, NodeError
from indexer.verify.differences import BoardDiffers, unequal
from indexer.verify.match_history import Moment, Moments

Call: TypeAlias = tuple[str, tuple[Any, ...]]

BOARD, RANGE = "board", "matchRange"
MOMENTS_AT_ONCE, IN_FLIGHT = 50, 4
MOST_WRONG = 100
REVERTED = 3
"""The code by which most nodes say that a contract refused."""


class Unlisted(Exception):
    """The contract has opened more matches than the node's logs tell of."""

    def __init__(self, game: str, opened: int, given: int) -> None:
        super().__init__(f"{game}: the contract has opened matches up to {opened}, the node's logs go to {given}")


@dataclass(slots=True)
class Views:
    """What was compared. `pruned`: moments whose state the node has no more. `silent`: games that have no view to
    compare, of which the events were counted alone. `wrong`: the first of the `differing` ones."""

    checked: int = 0
    blocks: set[int] = field(default_factory=set)
    pruned: int = 0
    silent: set[str] = field(default_factory=set)
    differing: int = 0
    wrong: list[BoardDiffers] = field(default_factory=list)

    def differs(self, moment: Moment, board: Json, view: Json, why: str = "") -> None:
        self.differing += 1
        if self.differing <= MOST_WRONG:
            self.wrong.append(BoardDiffers(moment.game, moment.match, moment.at.height, board, view, why))


class Witness:
    """Asks the contracts about boards that were folded from the chain's events."""

    def __init__(
        self,
        node: Node,
        deployments: Sequence[Deployment],
        games: Mapping[str, Game],
    ) -> None:
        self._node, self._deployments, self._games = node, deployments, games

    async def hear(self, moments: Moments, first: int, top: Block, only: MatchKey | None) -> Views:
        """Compares all moments from the block `first` up to `top`. Raises Unconfirmed or Unlisted when the database
        has not all that the contracts tell of; NodeLost or NodeError."""
        views = Views()
        kept = await self.kept_from(first, top.height)
        views.pruned = moments.below(kept)
        if kept <= top.height:
            await self._listed(moments, top, only)
        await self.compare(moments.between(kept, top), views)
        return views

    async def compare(self, moments: Iterable[Moment], views: Views) -> None:
        """Adds to `views` what the contracts say of these moments. Raises Unconfirmed, NodeLost or NodeError."""
        waiting = iter(moments)
        while (some := [list(islice(waiting, MOMENTS_AT_ONCE)) for _ in range(IN_FLIGHT)])[0]:
            await asyncio.gather(*(self._compare(each, views) for each in some))

    async def kept_from(self, first: int, top: int) -> int:
        """The lowest block whose state the node has; above `top` when it has none of them. Older states go first."""
        if await self._has_state(first):
            return first
        low, high = first, top + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if await self._has_state(middle) else (middle, high)
        return high

    async def _has_state(self, height: int) -> bool:
        try:
            await self._node.request("eth_getBalance", (self._deployments[0].address, hex(height)))
        except NodeError:
            return False
        return True

    async def _listed(self, moments: Moments, top: Block, only: MatchKey | None) -> None:
        for one in self._deployments:
            if not _has(one, RANGE, 0) or (only is not None and (only[0] != one.game or not one.holds(only[1]))):
                continue
            _first, following = decode_result(one.abi, RANGE, 0, await self._node.request(*_call(one, RANGE, top)))
            opened = following - 1 if one.end_match is None else min(following, one.end_match) - 1
            given = moments.highest_match(one.game, one.first_match, opened)
            if opened >= one.first_match and given < opened and (only is None or given < only[1] <= opened):
                raise Unlisted(one.game, opened, given)

    async def _compare(self, some: Sequence[Moment], views: Views) -> None:
        asked = [(moment, self._asked(moment, views)) for moment in some]
        answers = iter(await self._answers([call for _moment, calls in asked for call in calls.values()]))
        for moment, calls in asked:
            told = {name: next(answers) for name in calls}
            if any(isinstance(answer, NodeError) and not _refused(answer) for answer in told.values()):
                views.pruned += 1
            elif told:
                self._judge(moment, told, views)
                views.checked += 1
                views.blocks.add(moment.at.height)

    def _asked(self, moment: Moment, views: Views) -> dict[str, Call]:
        one, game = self._deployment(moment), self._games[moment.game]
        names = [COUNT] if _has(one, COUNT, 1) else []
        if game.view and game.shown and _has(one, BOARD, 1):
            names.append(BOARD)
        else:
            views.silent.add(game.slug)
        return {name: _call(one, name, moment.at, moment.match) for name in names}

    def _deployment(self, moment: Moment) -> Deployment:
        return next(one for one in self._deployments if one.game == moment.game and one.holds(moment.match))

    async def _answers(self, calls: Sequence[Call]) -> list[Any]:
        """Errors are answers here: one moment may be pruned, or its contract refuse."""
        try:
            return await self._node.requests(calls)
        except NodeError:
            return await asyncio.gather(*(self._answer(call) for call in calls))

    async def _answer(self, call: Call) -> Any:
        try:
            return await self._node.request(*call)
        except NodeError as error:
            return error

    def _judge(self, moment: Moment, told: Mapping[str, Any], views: Views) -> None:
        abi = self._deployment(moment).abi
        if COUNT in told:
            counted = 0 if isinstance(told[COUNT], NodeError) else _read(abi, COUNT, told[COUNT])
            if counted != moment.seq:
                raise Unconfirmed(moment.game, moment.match, counted, moment.seq)
        game = self._games[moment.game]
        if BOARD not in told or game.view is None or game.shown is None:
            return
        if isinstance(told[BOARD], NodeError):
            views.differs(moment, {}, {}, f"the contract does not show it: {told[BOARD].message}")
            return
        try:
            board, view = game.shown(moment.board), game.view(_read(abi, BOARD, told[BOARD]))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:  # the game's own code
            views.differs(moment, {}, {}, f"the game can't compare it: {error!r}")
            return
        if any(unequal("", board, view)):
            views.differs(moment, board, view)


def _has(one: Deployment, name: str, arguments: int) -> bool:
    return any(
        entry["type"] == "function" and entry["name"] == name and len(entry["inputs"]) == arguments for entry in one.abi
    )


def _call(one: Deployment, name: str, at: Block, *arguments: int) -> Call:
    data = encode_call(one.abi, name, arguments)
    return "eth_call", ({"to": one.address, "data": data}, {"blockHash": at.hash})


def _read(abi: Sequence[Json], name: str, answer: Any) -> Any:
    try:
        return decode_result(abi, name, 1, answer)
    except (DecodingError, AttributeError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"{name} answered {str(answer)[:80]}") from error


def _refused(error: NodeError) -> bool:
    return error.code == REVERTED or "revert" in error.message
