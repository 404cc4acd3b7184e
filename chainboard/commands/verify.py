"""`chainboard verify`: compares the database or a replay file with the chain. It prints the
differences, and can repair the database."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager, closing, contextmanager
from pathlib import Path

import orjson

from chainboard.chain.anvil import Anvil
from chainboard.chain.connect import chain_of, node_at
from chainboard.chain.deployment import known_deployments
from chainboard.chain.state_files import StateFiles
from chainboard.console import progress_bar
from chainboard.data_folder import folder_lock, read_json, running_node
from chainboard.errors import UserError
from chainboard.indexing.database import catch_up, existing_store
from chainboard.settings import Settings
from indexer.decode.decoder import BadLog
from indexer.fetch.fetcher import ChainChanged
from indexer.fetch.receipts import BadReceipts
from indexer.follow.follower import Follower
from indexer.follow.seq_check import SeqMismatch
from indexer.games import GAMES
from indexer.model import Chain, Deployment, MatchKey, WrongChain, match_name
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.identity import ChainIdentity
from indexer.store.db.engine import StoreError
from indexer.store.store import SeqGap, Store
from indexer.verify.audit import Audit, AuditReport, NodeBehind
from indexer.verify.contract_views import MissingMatches, ViewReport
from indexer.verify.raw_tables import RawDatabase, RawSnapshot, TableSlice
from replay.file import read
from replay.verify.report import VerifyReport
from replay.verify.verify_file import verify_replay
from transactions.retry import with_retries

MAX_LINES = 20
NO_MANIFEST = "and the data folder has no manifest for the node's chain: choose the right folder with --data"
SAMPLES = 16
"""The number of blocks that are compared if the database names a different chain than the node.
They show whether the database's blocks are from the node's chain after all."""


async def verify(settings: Settings, only: MatchKey | None, repair: bool) -> None:
    """Print one line if the database agrees with the chain. Otherwise, print a line for each
    difference. Raises UserError if something differs or if the audit is impossible. With `repair`,
    a difference raises UserError only if it remains after the repair."""
    with closing(existing_store(settings)) as store, _user_errors(), ExitStack() as locks:
        if repair:
            locks.enter_context(store.exclusive_writer())
        async with _node(settings) as (node, quiet):
            chain, deployments = await _chain_and_contracts(settings, node)
            with _audit(settings, node, chain, deployments, only, exclusive=repair or quiet) as audit:
                view_report = await audit.check_contract_views()
                report = await audit.compare_rows()
                lines = [str(one) for one in (*report.differences, *view_report.differences)]
                _print_some(lines, report.counts.total() + view_report.count)
                if repair:
                    report = await _repair(audit, report, store, node, deployments, only)
            _raise_or_print_success(report, view_report, only)


async def verify_file(settings: Settings, file: Path) -> None:
    """Print one line if a replay file agrees with the chain. Otherwise, print a line for each
    difference and raise UserError. Raises UserError or ReplayError if the comparison is
    impossible."""
    replay = read(file)
    with _user_errors():
        async with _node(settings) as (node, _quiet):
            with progress_bar("Reading the chain") as progress:
                report = await with_retries(lambda: verify_replay(node, replay, progress, _known_deployments(settings)))
    _print_some(report.differences, len(report.differences))
    if report.differences:
        raise UserError(f"the replay file doesn't match the chain: the chain has a different history of {report.match}")
    print(_success_line(report))


def _known_deployments(settings: Settings) -> list[Deployment]:
    """Return the contracts in this data folder's manifest, or an empty list if there is none."""
    try:
        return known_deployments(settings)
    except UserError:
        return []


def _success_line(report: VerifyReport) -> str:
    view_report = report.view_report
    line = f"Verified: {report.match}, events 1 to {report.last:,} in {report.blocks:,} blocks, "
    line += _hash_summary(report) + _views_checked(view_report)
    if report.event_count is not None and report.event_count > report.last:
        line += f"; the match has continued since: the chain has events 1 to {report.event_count:,}"
    if not report.is_ours:
        line += (
            "; the contract's code differs from this program's, so this check shows only that the file contains the "
            "contract's events"
        )
    return line + _without_view(view_report)


def _hash_summary(report: VerifyReport) -> str:
    if report.hash_verified == report.blocks:
        return "all hashes recomputed from headers and receipts; "
    loose = report.blocks - report.hash_verified
    return (
        f"of which {loose:,} have hashes that can't be recomputed from the header and the receipts, so this check "
        "relies on the node for them; "
    )


@asynccontextmanager
async def _node(settings: Settings) -> AsyncIterator[tuple[Node, bool]]:
    """Yield the node to compare with. Also yield True if no other program uses this node.

    With --rpc, it is the node that this option names. Otherwise, it is the node of the `up` that is
    running in this folder. If no `up` is running, the embedded chain is started for the comparison,
    and isn't changed."""
    urls = settings.rpc
    with ExitStack() as lock:
        if not urls:
            try:
                lock.enter_context(folder_lock(settings))
            except UserError as error:
                node_url = running_node(settings)
                if node_url is None:
                    raise UserError(f"{error}, or set --rpc to its node") from error
                urls = (node_url,)
        if urls:
            async with aclosing(node_at(settings, urls)) as node:
                yield node, False
            return
        if not StateFiles(settings.chain).newest_first():
            raise UserError(f"there is no chain in {settings.chain}: set --rpc to a node on the database's chain")
        anvil = await Anvil.start(settings.chain)
        try:
            yield anvil.node, True
        finally:
            await anvil.stop()


async def _chain_and_contracts(settings: Settings, node: Node) -> tuple[Chain, list[Deployment]]:
    """Return the node's chain and the contracts to compare. Raises UserError or WrongChain if the
    node's chain isn't the database's chain, or if no contracts are indexed."""
    chain = await chain_of(node)
    manifest = read_json(settings.manifest)
    manifest_fits = manifest is not None and (manifest.get("chainId"), manifest.get("genesis")) == (
        chain.chain_id,
        chain.genesis,
    )
    with closing(RawDatabase(settings.database_url)) as database, database.snapshot() as rows:
        stored = [Chain(row["chain_id"], row["genesis"]) for row in rows.rows_of(TableSlice("chain")).values()]
        if not stored and rows.top(2**63 - 1) is None:
            raise UserError("the database is empty: run `chainboard up` or `chainboard index` first")
        if chain not in stored and not (manifest_fits and await _shares_blocks(node, rows)):
            if stored:
                raise WrongChain(stored[0], chain)
            raise UserError(f"the database doesn't name its chain, {NO_MANIFEST}")
        deployments = known_deployments(settings) if manifest_fits else _stored(rows)
    if not deployments:
        raise UserError(
            "no contracts are indexed yet: first run `chainboard up`, or `chainboard deploy` and `chainboard index`"
        )
    await ChainIdentity(node, chain, deployments).check()
    return chain, deployments


async def _shares_blocks(node: Node, rows: RawSnapshot) -> bool:
    """Return True if most of the database's blocks are on the node's chain. In that case, the
    database is from this chain, and only the chain's name in the database is wrong."""
    lowest = next((row["height"] for row in rows.blocks_above(-1, 1)), 0)
    length = (rows.top((await node.head()).height) or lowest) - lowest
    heights = sorted({lowest + length * number // SAMPLES for number in range(SAMPLES + 1)})
    stored: dict[int, str] = {
        one: found[0]["hash"] for one in heights if (found := rows.rows_with("block", height=one))
    }
    blocks = [await node.block(height) for height in stored]
    same = sum(block is not None and block.hash == stored[block.height] for block in blocks)
    return same * 2 > len(stored)


def _stored(rows: RawSnapshot) -> list[Deployment]:
    """Return the contracts that the database lists. Raises UserError if the list can't be read."""
    found = rows.rows_of(TableSlice("deployment")).values()
    try:
        return [Deployment(**{**row, "abi": orjson.loads(row["abi"])}) for row in found]
    except (TypeError, ValueError) as error:
        raise UserError(f"the database's list of contracts can't be read ({error}), {NO_MANIFEST}") from error


@contextmanager
def _audit(
    settings: Settings, node: Node, chain: Chain, deployments: list[Deployment], only: MatchKey | None, exclusive: bool
) -> Iterator[Audit]:
    with tempfile.TemporaryDirectory(prefix="chainboard-") as folder, progress_bar("Reading the chain") as progress:
        url = f"sqlite:///{Path(folder) / 'fresh.db'}"
        with closing(Store(url, GAMES)) as fresh:
            fresh.set_chain(chain, deployments)
            raw = RawDatabase(settings.database_url), RawDatabase(url)
            with closing(Audit(node, *raw, fresh, GAMES, deployments, only, exclusive, progress)) as audit:
                yield audit


async def _repair(
    audit: Audit, before: AuditReport, store: Store, node: Node, deployments: list[Deployment], only: MatchKey | None
) -> AuditReport:
    """Replace the rows that differ from the chain, index up to the head, and compare again. Return
    the second report."""
    await asyncio.to_thread(audit.repair, before, store)
    if only is None:
        await catch_up(Follower(node, store, deployments))
    after = await audit.compare_rows()
    done = [_row_counts(before.counts)] if before.counts else []
    if after.top > before.top:
        done.append(f"{after.top - before.top} blocks that were not indexed yet")
    if not after.counts:
        print("Repaired (rows): " + (", ".join(done) if done else "none needed it"))
    return after


def _print_some(lines: Sequence[str], count: int) -> None:
    """Print at most MAX_LINES lines. If there are more, also print how many are left out. `count`
    is the total number of lines."""
    for line in lines[:MAX_LINES]:
        print(line)
    if (more := count - MAX_LINES) > 0:
        print(f"and {more} more")


def _raise_or_print_success(report: AuditReport, view_report: ViewReport, only: MatchKey | None) -> None:
    if report.counts:
        where = _row_counts(report.counts)
        raise UserError(
            f"the database differs from the chain (rows: {where}). Run `chainboard verify --repair` to correct it"
        )
    if view_report.count:
        raise UserError(
            f"{view_report.count} boards differ from their contract's view, although no event is missing: the game's "
            "reducer and its contract disagree, and repairing the database can't fix that"
        )
    if not report.totals["block"]:
        raise UserError(
            f"there is no match {match_name(*only)} on the chain"
            if only
            else "the database has no blocks yet: run `chainboard up` or `chainboard index` first"
        )
    print(_summary(report, view_report, only))


def _summary(report: AuditReport, view_report: ViewReport, only: MatchKey | None) -> str:
    totals = report.totals
    what = match_name(*only) if only else f"{totals['block']:,} blocks up to {report.top}, {totals['match']:,} matches"
    line = f"Verified: {what}, {totals['event']:,} events; {_views_checked(view_report)}"
    if report.head > report.top:
        line += f"; not indexed yet: {report.head - report.top:,} blocks, up to {report.head}"
    return line + _without_view(view_report)


def _views_checked(report: ViewReport) -> str:
    return f"views checked: {report.checked:,} at {len(report.blocks):,} blocks, {report.pruned:,} pruned"


def _without_view(report: ViewReport) -> str:
    slugs = sorted(report.without_view)
    return "".join(f"; {slug} only by its number of events, because the game has no view" for slug in slugs)


def _row_counts(tables: Mapping[str, int]) -> str:
    return ", ".join(f"{table} {count:,}" for table, count in tables.items())


@contextmanager
def _user_errors() -> Iterator[None]:
    """Turn errors that make the comparison impossible into a UserError with the reason."""
    try:
        yield
    except (NodeUnavailable, ChainChanged, StoreError) as error:
        raise UserError(str(error)) from error
    except NodeError as error:
        raise UserError(f"the node returned an error: {error}") from error
    except NodeBehind as error:
        raise UserError(
            f"{error}: the node lags behind, or its chain became shorter. Nothing can be verified with this node now. "
            "Wait, or use a different node with --rpc"
        ) from error
    except (BadReceipts, BadLog, SeqGap, SeqMismatch, MissingMatches) as error:
        raise UserError(
            f"the node contradicts itself, so nothing can be verified with it: {error}. Use a different node with --rpc"
        ) from error
    except WrongChain as error:
        raise UserError(
            f"{error}. Nothing was changed. Choose a different --data folder, or set --rpc to a node on the "
            "database's chain"
        ) from error
