"""Verifies a replay file. It reads the chain, compares the file with the chain's events, and also
compares boards with the contract's own view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from indexer.fetch.fetcher import ChainChanged
from indexer.gamekit.game import Game, fold
from indexer.games import GAMES
from indexer.model import Block, Deployment, Event, Json, match_name
from indexer.node.client import Node
from indexer.sanitize import excerpt
from indexer.verify.contract_views import ContractViewCheck
from indexer.verify.match_history import MatchAt
from replay.errors import ReplayError
from replay.file import game_of, number_of
from replay.verify.chain_reader import ChainReader, Progress
from replay.verify.compare import compare
from replay.verify.named_contract import NamedContract, find_contract
from replay.verify.report import VerifyReport


async def verify_replay(
    node: Node, replay: Json, progress: Progress = lambda _done, _total: None, known: Sequence[Deployment] = ()
) -> VerifyReport:
    """Compare a replay with the node's chain. `known` contains contracts whose ABI is known. Raises
    ReplayError if the chain has nothing that the replay can be compared with. If the node doesn't
    answer or contradicts itself, raises the errors of ChainReader and ContractViewCheck."""
    report, head = VerifyReport(last=len(replay["events"])), await node.head()
    await _same_chain(node, replay)
    game = _game(replay, report)
    contract = await find_contract(node, game, replay["deployment"], known)
    report.is_ours = contract.is_ours
    reader = ChainReader(node, contract.deployment, progress)
    await reader.read(event["block"] for event in replay["events"] if event["block"] <= head.height)
    match = _match(replay, game, reader, report)
    report.event_count = await reader.event_count(match, head)
    await reader.find_missing(match, _last_event(report), head)
    events = reader.chain_events.of_match(match)
    if not events:
        raise ReplayError(f"the replay file doesn't match the chain, which has no match {report.match}")
    compare(replay, game, contract, events, report)
    heights = {one.height for one in events.values() if one.seq <= report.last}
    report.blocks, report.hash_verified = len(heights), len(heights & reader.chain_events.hash_verified)
    if not report.differences:
        await _check_views(node, game, contract, events, reader.chain_events.blocks, head, report)
    if await node.block(head.height) != head:
        raise ChainChanged("the chain changed during the verification")
    return report


def _last_event(report: VerifyReport) -> int:
    """Return the number of the last event to read. It is at least 1, because event 1 proves that
    the match exists."""
    return max(1, report.last if report.event_count is None else min(report.last, report.event_count))


async def _same_chain(node: Node, replay: Json) -> None:
    chain = await node.chain()
    chain_id, genesis = replay["chain"]["chainId"], replay["chain"]["genesis"]
    if (chain_id, genesis) != (chain.chain_id, chain.genesis):
        raise ReplayError(
            f"the file is from chain {chain_id} (genesis {genesis}), but the node is on chain "
            f"{chain.chain_id} (genesis {chain.genesis}). Set --rpc to a node on the file's chain"
        )


def _game(replay: Json, report: VerifyReport) -> Game:
    """Return the replay's game. The match's name, the game's slug and the contract's name each
    identify a game. Raises ReplayError unless at least two of these three agree."""
    named, slug = replay["match"].partition("/")[0], replay["game"]["slug"]
    by_contract = {game.contract: game.slug for game in GAMES.values()}.get(replay["deployment"]["contract"])
    if named == by_contract != slug:
        return GAMES[named]
    if slug == by_contract != named:
        number = replay["match"].partition("/")[2]
        report.match = f"{slug}/{number}"
        return GAMES[slug]
    if slug != named:
        raise ReplayError(
            f"the replay file contradicts itself: its `match` is {excerpt(replay['match'])}, but its `game.slug` is "
            f"{excerpt(slug)}"
        )
    return game_of(replay)


def _match(replay: Json, game: Game, reader: ChainReader, report: VerifyReport) -> int:
    """Return the number of the match to which the file's events belong, even if the file claims a
    different number."""
    claimed = number_of({**replay, "match": report.match or replay["match"]})
    theirs = {(one.hash, one.log_index): one.match for one in reader.chain_events.events}
    counts = Counter(theirs.get((event["hash"], event["logIndex"]), claimed) for event in replay["events"])
    match = max(counts, key=lambda one: counts[one], default=claimed)
    report.match = match_name(game.slug, match)
    return match


async def _check_views(
    node: Node,
    game: Game,
    contract: NamedContract,
    known: dict[int, Event],
    blocks: dict[int, Block],
    head: Block,
    report: VerifyReport,
) -> None:
    """Compare the boards with the contract's own view of the match, at the newest block and at each
    block with events of the match. Skip blocks whose state the node no longer has."""
    check = ContractViewCheck(node, [contract.deployment], {game.slug: game})
    first_height = await check.first_with_state(min(blocks), head.height)
    matches = _matches_at(game, known, blocks, report.last)
    report.view_report.pruned = len(
        {known[seq].height for seq in range(1, report.last + 1) if known[seq].height < first_height}
    )
    await check.compare((one for one in matches if one.block.height >= first_height), report.view_report)
    if report.event_count == report.last and known[report.last].height < first_height <= head.height:
        board = fold(game, game.start, (known[seq] for seq in range(1, report.last + 1)))
        await check.compare([MatchAt(game.slug, known[1].match, report.last, board, head)], report.view_report)
    report.differences += map(str, report.view_report.differences)


def _matches_at(game: Game, known: dict[int, Event], blocks: dict[int, Block], last: int) -> Iterator[MatchAt]:
    """Yield the match as it is after each block that contains events of the match. Within a block,
    the chain has no state between two events."""
    board = game.start
    for seq in range(1, last + 1):
        event, next_event = known[seq], known.get(seq + 1)
        board = fold(game, board, (event,))
        if next_event is None or next_event.height != event.height:
            yield MatchAt(game.slug, event.match, seq, board, blocks[event.height])
