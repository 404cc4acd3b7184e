"""Proves the database against the chain, says what differs, and mends it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, aclosing, asynccontextmanager, closing, contextmanager
from pathlib import Path

import orjson
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chainboard.chain.anvil import Anvil
from chainboard.chain.connect import given, identified
from chainboard.chain.deployment import known
from chainboard.chain.retry import patiently
from chainboard.chain.state_files import StateFiles
from chainboard.console import console
from chainboard.data_folder import read_json, running_node, writing
from chainboard.errors import Trouble
from chainboard.indexing.database import BAR_FROM_BLOCKS, catch_up, existing_store
from chainboard.settings import Settings
from indexer.decode.decoder import BadLog
from indexer.fetch.fetcher import Changed
from indexer.fetch.receipts import BadReceipts
from indexer.follow.follower import Follower
from indexer.follow.seq_check import Unconfirmed
from indexer.games import GAMES
from indexer.model import Chain, Deployment, MatchKey, OtherChain, match_name
from indexer.node.client import Node, NodeError, NodeLost
from indexer.node.identity import Identity
from indexer.store.db.engine import StoreError
from indexer.store.store import SeqHole, Store
from indexer.verify.audit import Compared, NodeBehind, Proof
from indexer.verify.contract_views import Unlisted, Views
from indexer.verify.raw_tables import Part, Raw, Rows
from replay.file import read
from replay.verify.report import Proved
from replay.verify.verify_file import prove

MOST_LINES = 20
NOR_MANIFEST = "nor does a deployment manifest of the node's chain in the data folder: name its folder with --data"
SAMPLES = 16
"""Blocks that tell whether a database is of a chain, though it says that it is of another."""


async def verify(settings: Settings, only: MatchKey | None, repair: bool) -> None:
    """Prints one line when all fits. Raises Trouble when something differs, after a line for each, or can't be told;
    with `repair`, when that could not be mended."""
    with closing(existing_store(settings)) as store, _sentences(), ExitStack() as locks:
        if repair:
            locks.enter_context(store.sole_writer())
        async with _node(settings) as (node, quiet):
            chain, deployments = await _about(settings, node)
            with _proof(settings, node, chain, deployments, only, alone=repair or quiet) as proof:
                views = await proof.views()
                compared = await proof.rows()
                _tell(compared, views)
                if repair:
                    compared = await _repaired(proof, compared, store, node, deployments, only)
            _judge(compared, views, only)


async def verify_file(settings: Settings, file: Path) -> None:
    """Prints one line when a replay file is true. Raises Trouble when it is false, after a line for each place; that or
    ReplayError when it can't be told."""
    replay = read(file)
    with _sentences():
        async with _node(settings) as (node, _quiet):
            with _bar() as show:
                proved = await patiently(lambda: prove(node, replay, show, _manifested(settings)))
    for line in proved.wrong[:MOST_LINES]:
        print(line)
    if (more := len(proved.wrong) - MOST_LINES) > 0:
        print(f"and {more} more")
    if proved.wrong:
        raise Trouble(f"the file is false: it is not what the chain says about {proved.match}")
    print(_true(proved))


def _manifested(settings: Settings) -> list[Deployment]:
    """The contracts that this data folder knows of, if it is one."""
    try:
        return known(settings)
    except Trouble:
        return []


def _true(proved: Proved) -> str:
    views = proved.views
    line = f"All true: {proved.match}, events 1 to {proved.last:,} in {proved.blocks:,} blocks, "
    line += _sealing(proved)
    line += f"views checked: {views.checked:,} at {len(views.blocks):,} blocks, {views.pruned:,} pruned"
    if proved.counted is not None and proved.counted > proved.last:
        line += f"; the match has gone on since: the chain has events 1 to {proved.counted:,}"
    if not proved.ours:
        line += "; the contract was made with other code than this program has for it: it is its word that was proved"
    for slug in sorted(views.silent):
        line += f"; {slug} by the number of events alone, as the game shows no view"
    return line


def _sealing(proved: Proved) -> str:
    if proved.sealed == proved.blocks:
        return "all hashes made again from headers and receipts; "
    loose = proved.blocks - proved.sealed
    return f"of which {loose:,} have hashes that header and receipts don't make as Ethereum's do: the node's word; "


@asynccontextmanager
async def _node(settings: Settings) -> AsyncIterator[tuple[Node, bool]]:
    """The node that was named; else the one that a running `up` has in this folder; else the embedded chain, which
    nobody uses meanwhile: that is what the second value says. It is left as it was."""
    urls = settings.rpc
    with ExitStack() as lock:
        if not urls:
            try:
                lock.enter_context(writing(settings))
            except Trouble as error:
                node_url = running_node(settings)
                if node_url is None:
                    raise Trouble(f"{error}; or name its node with --rpc") from error
                urls = (node_url,)
        if urls:
            async with aclosing(given(urls, settings.rpc_timeout)) as node:
                yield node, False
            return
        if not StateFiles(settings.chain).newest_first():
            raise Trouble(f"there is no chain in {settings.chain}: name a node of the database's chain with --rpc")
        anvil = await Anvil.start(settings.chain)
        try:
            yield anvil.node, True
        finally:
            await anvil.stop()


async def _about(settings: Settings, node: Node) -> tuple[Chain, list[Deployment]]:
    """The node's chain, which must be the database's, and the contracts on it that are followed. Raises Trouble."""
    chain = await identified(node)
    manifest = read_json(settings.manifest)
    told = manifest is not None and (manifest.get("chainId"), manifest.get("genesis")) == (
        chain.chain_id,
        chain.genesis,
    )
    with closing(Raw(settings.database_url)) as raw, raw.snapshot() as rows:
        stored = [Chain(row["chain_id"], row["genesis"]) for row in rows.part(Part("chain")).values()]
        if not stored and rows.top(2**63 - 1) is None:
            raise Trouble("the database holds nothing yet: run `chainboard up` or `chainboard index` first")
        if chain not in stored and not (told and await _shares(node, rows)):
            if stored:
                raise OtherChain(stored[0], chain)
            raise Trouble(f"the database does not say which chain it is about, {NOR_MANIFEST}")
        deployments = known(settings) if told else _stored(rows)
    if not deployments:
        raise Trouble("no contracts are followed yet: run `chainboard up`, or `chainboard deploy` and `index`, first")
    await Identity(node, chain, deployments).check()
    return chain, deployments


async def _shares(node: Node, rows: Rows) -> bool:
    """Whether most of the database's blocks are the node's: then it says something wrong about itself alone."""
    lowest = next((row["height"] for row in rows.blocks_above(-1, 1)), 0)
    length = (rows.top((await node.head()).height) or lowest) - lowest
    heights = sorted({lowest + length * number // SAMPLES for number in range(SAMPLES + 1)})
    stored: dict[int, str] = {one: found[0]["hash"] for one in heights if (found := rows.some("block", height=one))}
    blocks = [await node.block(height) for height in stored]
    same = sum(block is not None and block.hash == stored[block.height] for block in blocks)
    return same * 2 > len(stored)


def _stored(rows: Rows) -> list[Deployment]:
    """The contracts by the database's own word."""
    found = rows.part(Part("deployment")).values()
    try:
        return [Deployment(**{**row, "abi": orjson.loads(row["abi"])}) for row in found]
    except (TypeError, ValueError) as error:
        raise Trouble(f"the database does not say which contracts it follows ({error}), {NOR_MANIFEST}") from error


@contextmanager
def _proof(
    settings: Settings, node: Node, chain: Chain, deployments: list[Deployment], only: MatchKey | None, alone: bool
) -> Iterator[Proof]:
    with tempfile.TemporaryDirectory(prefix="chainboard-") as folder, _bar() as show:
        url = f"sqlite:///{Path(folder) / 'fresh.db'}"
        with closing(Store(url, GAMES)) as fresh:
            fresh.adopt(chain, deployments)
            raw = Raw(settings.database_url), Raw(url)
            with closing(Proof(node, *raw, fresh, GAMES, deployments, only, alone, show)) as proof:
                yield proof


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn("Reading the chain"), BarColumn(), MofNCompleteColumn(), TextColumn("blocks"))
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("blocks", visible=False)
        yield lambda done, whole: bar.update(task, completed=done, total=whole, visible=whole > BAR_FROM_BLOCKS)


async def _repaired(
    proof: Proof, before: Compared, store: Store, node: Node, deployments: list[Deployment], only: MatchKey | None
) -> Compared:
    """Writes the chain's rows where others are, follows to the head, and looks again."""
    await asyncio.to_thread(proof.mend, before)
    if only is None:
        await catch_up(Follower(node, store, deployments))
    after = await proof.rows()
    done = [_differing(before.differing)] if before.differing else []
    if after.top > before.top:
        done.append(f"{after.top - before.top} blocks that were not indexed yet")
    if not after.differing:
        print("Repaired (rows): " + (", ".join(done) if done else "nothing had to be"))
    return after


def _tell(compared: Compared, views: Views) -> None:
    """A line for each difference, up to a bounded number."""
    lines = [*map(str, compared.wrong), *map(str, views.wrong)]
    for line in lines[:MOST_LINES]:
        print(line)
    if (more := compared.differing.total() + views.differing - MOST_LINES) > 0:
        print(f"and {more} more")


def _judge(compared: Compared, views: Views, only: MatchKey | None) -> None:
    if compared.differing:
        where = _differing(compared.differing)
        raise Trouble(f"the database differs from the chain (rows: {where}): `chainboard verify --repair` mends it")
    if views.differing:
        raise Trouble(
            f"{views.differing} boards are not what their contract shows, though all events are there: the game's "
            "reducer and its contract disagree, which no repair of the database mends"
        )
    if not compared.held["block"]:
        raise Trouble(
            f"there is no match {match_name(*only)} on the chain"
            if only
            else "the database holds no block yet: run `chainboard up` or `chainboard index` first"
        )
    print(_fits(compared, views, only))


def _fits(compared: Compared, views: Views, only: MatchKey | None) -> str:
    held = compared.held
    what = match_name(*only) if only else f"{held['block']:,} blocks up to {compared.top}, {held['match']:,} matches"
    line = f"All fits: {what}, {held['event']:,} events; "
    line += f"views checked: {views.checked:,} at {len(views.blocks):,} blocks, {views.pruned:,} pruned"
    if compared.head > compared.top:
        line += f"; not indexed yet: {compared.head - compared.top:,} blocks, up to {compared.head}"
    for slug in sorted(views.silent):
        line += f"; {slug} by the number of events alone, as the game shows no view"
    return line


def _differing(tables: Mapping[str, int]) -> str:
    return ", ".join(f"{table} {count:,}" for table, count in tables.items())


@contextmanager
def _sentences() -> Iterator[None]:
    """What can't be told is told why."""
    try:
        yield
    except (NodeLost, Changed, StoreError) as error:
        raise Trouble(str(error)) from error
    except NodeError as error:
        raise Trouble(f"the node answered with an error: {error}") from error
    except NodeBehind as error:
        raise Trouble(
            f"{error}: it lags, or its chain was cut shorter. Nothing can be proved by it now: wait, or name another "
            "node with --rpc"
        ) from error
    except (BadReceipts, BadLog, SeqHole, Unconfirmed, Unlisted) as error:
        raise Trouble(
            f"the node's word does not fit, so that nothing can be proved by it: {error}. Name another node with --rpc"
        ) from error
    except OtherChain as error:
        raise Trouble(f"{error}. Nothing was changed: choose another --data folder, or --rpc with a node of that chain"
                      ) from error  # fmt: skip
