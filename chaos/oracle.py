"""Computes the expected results for the final checks from two sources: a new index that is built
from the chain's receipts, and the contracts' own views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

from sqlalchemy import JSON, Select, String, cast, select
from sqlmodel import SQLModel

from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.contract import DeployedContract
from indexer.decode.decoder import Decoder
from indexer.gamekit.contract_view import STATUS
from indexer.games import GAMES
from indexer.model import Block, Chain, Deployment, Json
from indexer.store.snapshot import Snapshot
from indexer.store.store import Store

Rows: TypeAlias = dict[str, list[tuple[Any, ...]]]

TABLES = ("chain", "deployment", "block", "event", "mention", "match", "seat", "checkpoint", "result")


@contextmanager
def open_snapshot(url: str) -> Iterator[Snapshot]:
    """Open a snapshot of a database for reading."""
    with closing(Store(url, GAMES)) as store, store.read() as snapshot:
        yield snapshot


def rows_of(url: str) -> Rows:
    """Return all rows of all tables in a database. All are read in one transaction."""
    with open_snapshot(url) as snapshot:
        connection = snapshot._connection
        return {table: sorted(tuple(row) for row in connection.execute(select_all(table))) for table in TABLES}


def select_all(table: str) -> Select[Any]:
    """Return a query for all rows in a table. The query returns JSON columns as text."""
    columns = SQLModel.metadata.tables[table].c
    return select(*(cast(one, String) if isinstance(one.type, JSON) else one for one in columns))


async def build_fresh_index(url: str, chain: AnvilChain, deployments: Sequence[Deployment]) -> None:
    """Index the whole chain into an empty database.

    The new index reads the receipts of every block, so it doesn't depend on the follower that it
    checks."""
    decoder = Decoder(deployments)
    [chain_id, genesis] = await chain.node.requests([("eth_chainId", ()), ("eth_getBlockByNumber", ("0x0", False))])
    blocks = await chain.blocks(min(one.height for one in deployments), await chain.height())
    receipts = await chain.node.requests([("eth_getBlockReceipts", (block["number"],)) for block in blocks])
    ours = {address.lower() for address in decoder.addresses}
    logs = [log for block in receipts for one in block for log in one["logs"] if log["address"].lower() in ours]
    known = [_block(raw) for raw in blocks]
    with closing(Store(url, GAMES)) as store:
        store.set_chain(Chain(int(chain_id, 16), genesis["hash"]), deployments)
        store.append(known, decoder.events(logs, {block.height: block for block in known}))


def _block(raw: Json) -> Block:
    return Block(int(raw["number"], 16), raw["hash"], raw["parentHash"], int(raw["timestamp"], 16))


def difference(found: Rows, wanted: Rows) -> str | None:
    """Describe the first difference between two databases' rows. Return None if there is none."""
    for table in TABLES:
        if found[table] != wanted[table]:
            more = [row for row in found[table] if row not in wanted[table]]
            less = [row for row in wanted[table] if row not in found[table]]
            return f"table {table}: {len(more)} extra rows {_sample(more)}, {len(less)} missing rows {_sample(less)}"
    return None


async def open_matches(chain: AnvilChain, contracts: Sequence[DeployedContract]) -> list[str]:
    """Return the names of the matches that still wait for a second player."""
    boards = await contract_boards(chain, contracts)
    return [match for match, board in boards.items() if STATUS[board["status"]] == "open"]


def _sample(some: Sequence[tuple[Any, ...]]) -> str:
    return ", ".join(str(row)[:300] for row in some[:2])


async def contract_boards(chain: AnvilChain, contracts: Sequence[DeployedContract]) -> dict[str, Json]:
    """Return the boards according to the contracts' own views. The keys are the matches' names
    (`<game>/<id>`)."""
    ranges = await chain.node.requests([one.view_call("matchRange") for one in contracts])
    wanted = [
        (contract, match)
        for contract, answer in zip(contracts, ranges, strict=True)
        for match in range(*contract.decode_view("matchRange", answer))
    ]
    answers = await chain.node.requests([contract.view_call("board", match) for contract, match in wanted])
    return {
        f"{contract.game}/{match}": contract.decode_view("board", answer, 1)
        for (contract, match), answer in zip(wanted, answers, strict=True)
    }
