"""Compares boards, which are folded from events, with the contracts' views `seqOf` (the number of
events) and `board`. The views are called at every block whose state the node still has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from eth_abi.exceptions import DecodingError

from contracts.abi import decode_result, encode_call
from contracts.rpc_errors import BAD_ANSWER
from indexer.follow.seq_check import SEQ_OF, SeqMismatch
from indexer.gamekit.game import Game
from indexer.gamekit.json_diff import differences
from indexer.model import Block, Deployment, Json, MatchKey
from indexer.node.client import Node, NodeError
from indexer.verify.differences import BoardDiffers
from indexer.verify.match_history import MatchAt, MatchHistory

Call: TypeAlias = tuple[str, tuple[Any, ...]]

BOARD_VIEW, RANGE_VIEW = "board", "matchRange"
MATCHES_PER_BATCH, MAX_IN_FLIGHT = 50, 4
MAX_DIFFERENCES = 100
REVERT_CODE = 3
"""The JSON-RPC error code with which most nodes report a revert."""


class MissingMatches(Exception):
    """A contract has opened more matches than the node's logs contain."""

    def __init__(self, game: str, opened: int, in_logs: int) -> None:
        super().__init__(
            f"{game}: the contract has opened matches up to number {opened}, but the node's logs end at number "
            f"{in_logs}"
        )


@dataclass(slots=True)
class ViewReport:
    """The result of comparing boards with the contracts' views.

    - `checked`: the number of comparisons made
    - `pruned`: the number of comparisons that failed because the node no longer has the block's
      state
    - `without_view`: games without a `board` view. Only the numbers of their events were compared
    - `count`: the number of differences
    - `differences`: the first differences found
    """

    checked: int = 0
    blocks: set[int] = field(default_factory=set)
    pruned: int = 0
    without_view: set[str] = field(default_factory=set)
    count: int = 0
    differences: list[BoardDiffers] = field(default_factory=list)

    def add(self, match_at: MatchAt, board: Json, contract_view: Json, why: str = "") -> None:
        """Count a difference, and store it if it is one of the first MAX_DIFFERENCES."""
        self.count += 1
        if self.count <= MAX_DIFFERENCES:
            self.differences.append(
                BoardDiffers(match_at.game, match_at.match, match_at.block.height, board, contract_view, why)
            )


class ContractViewCheck:
    """Compares the contracts' views with boards that are folded from the events on the chain."""

    def __init__(
        self,
        node: Node,
        deployments: Sequence[Deployment],
        games: Mapping[str, Game],
    ) -> None:
        self._node, self._deployments, self._games = node, deployments, games

    async def check_all(self, history: MatchHistory, first: int, top: Block, only: MatchKey | None) -> ViewReport:
        """Compare all matches, or the match `only`, at the blocks from `first` to `top`.

        Raises SeqMismatch or MissingMatches if the node's logs lack events of the contracts. Raises
        NodeUnavailable or NodeError if the node fails."""
        view_report = ViewReport()
        first_height = await self.first_with_state(first, top.height)
        view_report.pruned = history.rows.count_match_blocks_below(first_height)
        if first_height <= top.height:
            await self._check_match_range(history, top, only)
        await self.compare(history.between(first_height, top), view_report)
        return view_report

    async def compare(self, matches: Iterable[MatchAt], view_report: ViewReport) -> None:
        """Compare these states of matches with the contracts' views. Add the results to
        `view_report`.

        Raises SeqMismatch, NodeUnavailable or NodeError."""
        waiting = iter(matches)
        while (batch := [list(islice(waiting, MATCHES_PER_BATCH)) for _ in range(MAX_IN_FLIGHT)])[0]:
            await asyncio.gather(*(self._compare(each, view_report) for each in batch))

    async def first_with_state(self, first: int, top: int) -> int:
        """Return the lowest height at which the node still has the chain's state, or `top` + 1 if
        there is none.

        A binary search suffices, because nodes delete the oldest states first."""
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

    async def _check_match_range(self, history: MatchHistory, top: Block, only: MatchKey | None) -> None:
        for one in self._deployments:
            if not _has(one, RANGE_VIEW, 0) or (
                only is not None and (only[0] != one.game or not one.has_match(only[1]))
            ):
                continue
            _first, end = decode_result(one.abi, RANGE_VIEW, 0, await self._node.request(*_call(one, RANGE_VIEW, top)))
            opened = end - 1 if one.end_match is None else min(end, one.end_match) - 1
            in_logs = history.rows.highest_match(one.game, one.first_match, opened)
            if opened >= one.first_match and in_logs < opened and (only is None or in_logs < only[1] <= opened):
                raise MissingMatches(one.game, opened, in_logs)

    async def _compare(self, batch: Sequence[MatchAt], view_report: ViewReport) -> None:
        calls_by_match = [(match_at, self._calls_for(match_at, view_report)) for match_at in batch]
        answers = iter(await self._answers([call for _match_at, calls in calls_by_match for call in calls.values()]))
        for match_at, calls in calls_by_match:
            answered = {name: next(answers) for name in calls}
            if any(isinstance(answer, NodeError) and not _is_revert(answer) for answer in answered.values()):
                view_report.pruned += 1
            elif answered:
                self._compare_answers(match_at, answered, view_report)
                view_report.checked += 1
                view_report.blocks.add(match_at.block.height)

    def _calls_for(self, match_at: MatchAt, view_report: ViewReport) -> dict[str, Call]:
        one, game = self._deployment(match_at), self._games[match_at.game]
        names = [SEQ_OF] if _has(one, SEQ_OF, 1) else []
        if game.from_contract and game.from_board and _has(one, BOARD_VIEW, 1):
            names.append(BOARD_VIEW)
        else:
            view_report.without_view.add(game.slug)
        return {name: _call(one, name, match_at.block, match_at.match) for name in names}

    def _deployment(self, match_at: MatchAt) -> Deployment:
        return next(one for one in self._deployments if one.game == match_at.game and one.has_match(match_at.match))

    async def _answers(self, calls: Sequence[Call]) -> list[Any]:
        """Return the result of each call, or its error. A call can fail because the contract
        reverts, or because the node has deleted the block's state."""
        try:
            return await self._node.requests(calls)
        except NodeError:
            return await asyncio.gather(*(self._answer(call) for call in calls))

    async def _answer(self, call: Call) -> Any:
        try:
            return await self._node.request(*call)
        except NodeError as error:
            return error

    def _compare_answers(self, match_at: MatchAt, answers: Mapping[str, Any], view_report: ViewReport) -> None:
        abi = self._deployment(match_at).abi
        if SEQ_OF in answers:
            counted = 0 if isinstance(answers[SEQ_OF], NodeError) else _decoded(abi, SEQ_OF, answers[SEQ_OF])
            if counted != match_at.seq:
                raise SeqMismatch(match_at.game, match_at.match, counted, match_at.seq)
        game = self._games[match_at.game]
        if BOARD_VIEW not in answers or game.from_contract is None or game.from_board is None:
            return
        if isinstance(answers[BOARD_VIEW], NodeError):
            view_report.add(match_at, {}, {}, f"the contract's view failed: {answers[BOARD_VIEW].message}")
            return
        try:
            board, contract_view = (
                game.from_board(match_at.board),
                game.from_contract(_decoded(abi, BOARD_VIEW, answers[BOARD_VIEW])),
            )
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:  # from the game's code
            view_report.add(
                match_at,
                {},
                {},
                f"the game's code failed while comparing the board with the contract's view: {error!r}",
            )
            return
        if any(differences("", board, contract_view)):
            view_report.add(match_at, board, contract_view)


def _has(one: Deployment, name: str, arguments: int) -> bool:
    return any(
        entry["type"] == "function" and entry["name"] == name and len(entry["inputs"]) == arguments for entry in one.abi
    )


def _call(one: Deployment, name: str, at: Block, *arguments: int) -> Call:
    data = encode_call(one.abi, name, arguments)
    return "eth_call", ({"to": one.address, "data": data}, {"blockHash": at.hash})


def _decoded(abi: Sequence[Json], name: str, answer: Any) -> Any:
    try:
        return decode_result(abi, name, 1, answer)
    except (DecodingError, AttributeError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"{name} returned {str(answer)[:80]}, which can't be decoded") from error


def _is_revert(error: NodeError) -> bool:
    return error.code == REVERT_CODE or "revert" in error.message
