"""A replay file and a chain: what the chain says is read, the file compared with it, the contract asked itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from indexer.fetch.fetcher import Changed
from indexer.gamekit.game import Game, fold
from indexer.games import GAMES
from indexer.model import Block, Deployment, Event, Json, match_name
from indexer.node.client import Node
from indexer.verify.contract_views import Witness
from indexer.verify.match_history import Moment
from replay.errors import ReplayError
from replay.file import game_of, number_of
from replay.sanitize import told
from replay.verify.chain_reader import Show, Truth
from replay.verify.compare import compare
from replay.verify.named_contract import Standing, standing
from replay.verify.report import Proved


async def prove(
    node: Node, replay: Json, show: Show = lambda _done, _whole: None, known: Sequence[Deployment] = ()
) -> Proved:
    """Compares a replay with the node's chain; `known` are contracts whose ABI is at hand. Raises ReplayError when
    there is nothing to compare it with; as Truth and Witness when the node's word can't be had or does not fit."""
    proved, head = Proved(last=len(replay["events"])), await node.head()
    await _same_chain(node, replay)
    game = _game(replay, proved)
    contract = await standing(node, game, replay["deployment"], known)
    proved.ours = contract.ours
    truth = Truth(node, contract.deployment, show)
    await truth.read(event["block"] for event in replay["events"] if event["block"] <= head.height)
    match = _match(replay, game, truth, proved)
    proved.counted = await truth.counted(match, head)
    await truth.fill(match, _most(proved), head)
    events = truth.chronicle.of(match)
    if not events:
        raise ReplayError(f"the file is false: there is no match {proved.match} on the chain")
    compare(replay, game, contract, events, proved)
    heights = {one.height for one in events.values() if one.seq <= proved.last}
    proved.blocks, proved.sealed = len(heights), len(heights & truth.chronicle.sealed)
    if not proved.wrong:
        await _views(node, game, contract, events, truth.chronicle.blocks, head, proved)
    if await node.block(head.height) != head:
        raise Changed("the chain changed meanwhile")
    return proved


def _most(proved: Proved) -> int:
    """Up to which event the chain is to be read: the first one at least, which tells whether the match is there."""
    return max(1, proved.last if proved.counted is None else min(proved.last, proved.counted))


async def _same_chain(node: Node, replay: Json) -> None:
    chain = await node.chain()
    told_id, genesis = replay["chain"]["chainId"], replay["chain"]["genesis"]
    if (told_id, genesis) != (chain.chain_id, chain.genesis):
        raise ReplayError(
            f"the file is about another chain: chain.chainId {told_id}, chain.genesis {genesis}; the node is on chain "
            f"{chain.chain_id} (genesis {chain.genesis}). Name a node of that chain with --rpc"
        )


def _game(replay: Json, proved: Proved) -> Game:
    """The game by two of three: the match's name, the game's, the contract's. Raises ReplayError."""
    named, slug = replay["match"].partition("/")[0], replay["game"]["slug"]
    by_contract = {game.contract: game.slug for game in GAMES.values()}.get(replay["deployment"]["contract"])
    if named == by_contract != slug:
        return GAMES[named]
    if slug == by_contract != named:
        number = replay["match"].partition("/")[2]
        proved.match = f"{slug}/{number}"
        return GAMES[slug]
    if slug != named:
        raise ReplayError(f"the file is false: match is {told(replay['match'])}, but game.slug is {told(slug)}")
    return game_of(replay)


def _match(replay: Json, game: Game, truth: Truth, proved: Proved) -> int:
    """The match's number: the one whose events the file holds, whatever it says."""
    said = number_of({**replay, "match": proved.match or replay["match"]})
    theirs = {(one.hash, one.log_index): one.match for one in truth.chronicle.events}
    held = Counter(theirs.get((event["hash"], event["logIndex"]), said) for event in replay["events"])
    match = max(held, key=lambda one: held[one], default=said)
    proved.match = match_name(game.slug, match)
    return match


async def _views(
    node: Node,
    game: Game,
    contract: Standing,
    known: dict[int, Event],
    blocks: dict[int, Block],
    head: Block,
    proved: Proved,
) -> None:
    """The contract's own view after each block of the file, as far as the node still has it, and at the head."""
    witness = Witness(node, [contract.deployment], {game.slug: game})
    kept = await witness.kept_from(min(blocks), head.height)
    moments = _moments(game, known, blocks, proved.last)
    proved.views.pruned = len({known[seq].height for seq in range(1, proved.last + 1) if known[seq].height < kept})
    await witness.compare((one for one in moments if one.at.height >= kept), proved.views)
    if proved.counted == proved.last and known[proved.last].height < kept <= head.height:
        board = fold(game, game.start, (known[seq] for seq in range(1, proved.last + 1)))
        await witness.compare([Moment(game.slug, known[1].match, proved.last, board, head)], proved.views)
    proved.wrong += map(str, proved.views.wrong)


def _moments(game: Game, known: dict[int, Event], blocks: dict[int, Block], last: int) -> Iterator[Moment]:
    """The match after each block; not in the midst of one, which is no moment of the chain's."""
    board = game.start
    for seq in range(1, last + 1):
        event, following = known[seq], known.get(seq + 1)
        board = fold(game, board, (event,))
        if following is None or following.height != event.height:
            yield Moment(game.slug, event.match, seq, board, blocks[event.height])
