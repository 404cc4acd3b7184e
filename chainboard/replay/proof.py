"""A replay file beside a chain: the file that the chain's own word makes, compared with it place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from api import wire
from chainboard.replay.file import game_of, number_of
from chainboard.replay.places import Place, places
from chainboard.replay.standing import Standing, standing
from chainboard.replay.text import plain, told
from chainboard.replay.truth import Show, Truth
from chainboard.trouble import Trouble
from indexer.fetch import Changed
from indexer.game import Game, board_hash, diff, fold
from indexer.games import GAMES
from indexer.model import Block, Deployment, Event, Json, match_name
from indexer.moments import Moment
from indexer.node import Node
from indexer.witness import Views, Witness

MOST_PLACES = 4
"""Of one event, that a line names."""
FOLLOWS = "from the chain's events follows"
SAYS = "the chain says"


@dataclass(slots=True)
class Proved:
    """What was compared. `wrong`: a line for each event, or other place, that is false. `last`: the file's last event;
    `counted`: the match's on the chain now (None: it can't be had)."""

    match: str = ""
    last: int = 0
    blocks: int = 0
    counted: int | None = None
    ours: bool = True
    wrong: list[str] = field(default_factory=list)
    views: Views = field(default_factory=Views)

    def add(self, found: Iterator[Place], right: str) -> None:
        self.wrong += [one.said(right) for one in found]


async def prove(
    node: Node, replay: Json, show: Show = lambda _done, _whole: None, known: Sequence[Deployment] = ()
) -> Proved:
    """Compares a replay with the node's chain; `known` are contracts whose ABI is at hand. Raises Trouble when there is
    nothing to compare it with; as Truth and Witness when the node's word can't be had or does not fit."""
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
        raise Trouble(f"the file is false: there is no match {proved.match} on the chain")
    _compare(replay, game, contract, events, proved)
    proved.blocks = len({one.height for one in events.values() if one.seq <= proved.last})
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
        raise Trouble(
            f"the file is about another chain: chain.chainId {told_id}, chain.genesis {genesis}; the node is on chain "
            f"{chain.chain_id} (genesis {chain.genesis}). Name a node of that chain with --rpc"
        )


def _game(replay: Json, proved: Proved) -> Game:
    """The game by two of three: the match's name, the game's, the contract's. Raises Trouble."""
    named, slug = replay["match"].partition("/")[0], replay["game"]["slug"]
    by_contract = {game.contract: game.slug for game in GAMES.values()}.get(replay["deployment"]["contract"])
    if named == by_contract != slug:
        return GAMES[named]
    if slug == by_contract != named:
        number = replay["match"].partition("/")[2]
        proved.match = f"{slug}/{number}"
        return GAMES[slug]
    if slug != named:
        raise Trouble(f"the file is false: match is {told(replay['match'])}, but game.slug is {told(slug)}")
    return game_of(replay)


def _match(replay: Json, game: Game, truth: Truth, proved: Proved) -> int:
    """The match's number: the one whose events the file holds, whatever it says."""
    said = number_of({**replay, "match": proved.match or replay["match"]})
    theirs = {(one.hash, one.log_index): one.match for one in truth.chronicle.events}
    held = Counter(theirs.get((event["hash"], event["logIndex"]), said) for event in replay["events"])
    match = max(held, key=lambda one: held[one], default=said)
    proved.match = match_name(game.slug, match)
    return match


def _compare(replay: Json, game: Game, contract: Standing, known: dict[int, Event], proved: Proved) -> None:
    wanted = {
        **{key: replay[key] for key in ("format", "version", "chain", "events")},
        "match": proved.match,
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "deployment": contract.shape,
        "start": game.start,
    }
    given = {key: value for key, value in replay.items() if key not in ("board", "boardHash")}
    proved.add(places("chain", replay["chain"], {key: replay["chain"][key] for key in ("chainId", "genesis")}), SAYS)
    proved.add(places("", given, wanted), SAYS)
    board = _events(replay["events"], game, known, proved)
    if board is not None:
        proved.add(places("board", replay["board"], board), FOLLOWS)
        proved.add(places("boardHash", replay["boardHash"], board_hash(board)), FOLLOWS)


def _events(given: list[Json], game: Game, known: dict[int, Event], proved: Proved) -> Json | None:
    """Compares event by event; the last board, unless the file's list is another one than the chain's."""
    board = game.start
    for number, found in enumerate(given, 1):
        if (event := known.get(number)) is None:
            proved.wrong.append(_surplus(number, found, proved))
            return None
        if found["seq"] != number and _is_another(found, known):
            proved.wrong.append(f"event {number} ({event.name}) is not where it belongs: there is event {found['seq']}")
            return None
        before, board = board, fold(game, board, (event,))
        _event(number, found, event, diff(before, board), proved)
    if not given:
        proved.wrong.append(f"event 1 ({known[1].name}) is missing, as are all others")
        return None
    return board


def _event(number: int, found: Json, event: Event, patch: Json, proved: Proved) -> None:
    own = {key: value for key, value in found.items() if key != "patch"}
    said = [one.said(SAYS) for one in islice(places("", own, wire.event(event)), MOST_PLACES)]
    said += [one.said(FOLLOWS) for one in islice(places("patch", found["patch"], patch), MOST_PLACES)]
    if said:
        proved.wrong.append(f"event {number} ({plain(found['name'])}) is false: {'; '.join(said)}")


def _surplus(number: int, found: Json, proved: Proved) -> str:
    if proved.counted is not None and number <= proved.counted and not proved.ours:
        raise Trouble(
            f"the contract of {proved.match} was made with other code than this program has for it, so that its event "
            f"{number} can't be read: name the --data folder of whoever deployed it, or use the program of that time"
        )
    if proved.counted is not None and number <= proved.counted:
        raise Trouble(
            f"the node's word does not fit, so that nothing can be proved by it: the contract has counted "
            f"{proved.counted} events of {proved.match}, and the node does not show event {number}. "
            "Name another node with --rpc"
        )
    had = f"the match has {proved.counted} events there" if proved.counted else "the match ends before"
    return f"event {number} ({plain(found['name'])}) is false: the chain does not have it, {had}"


def _is_another(found: Json, known: dict[int, Event]) -> bool:
    """Whether it is the chain's event of the number that it bears."""
    event = known.get(found["seq"])
    return event is not None and (event.hash, event.log_index) == (found["hash"], found["logIndex"])


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
