"""Tests that `chainboard verify` confirms a correct database. The command reports and repairs
errors, or explains why it can't repair them."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlmodel import SQLModel

from chainboard.commands import verify
from chainboard.errors import UserError
from chainboard.settings import Settings
from chaos.process.ports import reserved_port
from indexer.follow.follower import Follower
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.rules.battleship import commitment
from indexer.store.store import Store
from indexer.verify import audit
from indexer.verify.raw_tables import BARE_TABLES
from tests.chainboard.corruptions import KINDS
from tests.indexer.follow.test_untrusted_node import NO_BLOOM, LyingNode
from tests.support.chain import DeployedChain, deployed_chain, fresh_store, rows
from tests.support.command_line import VERIFIED, CommandResult, chainboard
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

CORRUPTIONS = 51
OF_NO_CHAIN = {"announcement", "gateway", "nickname", "nickname_block", "request", "seek"}
ONE_A_TABLE = {
    "a_block_missing",
    "another_argument",
    "a_mention_too_many",
    "another_status",
    "a_seat_missing",
    "an_altered_checkpoint",
    "another_rating",
    "another_chain",
    "counts_confirmed_above_the_chain",
    "blocks_left_out_above_the_chain",
    "another_contract",
}
"""The corruptions that `make test` tries. `make soak` tries all of them."""
FLEET = "PH12 SH81 DV7 BV51 CH40"


@dataclass
class PlayedChain:
    """A chain with matches of all games, and a data folder with an index of the chain. The chain
    runs in its own event loop."""

    runner: asyncio.Runner
    chain: DeployedChain
    data: Path
    right: dict[str, Any]

    @property
    def url(self) -> str:
        return self.chain.node.url

    @property
    def matches(self) -> set[str]:
        return {f"{row[0]}/{row[1]}" for row in self.right['"match"']}

    def verify(self, data: Path, *arguments: object) -> CommandResult:
        return chainboard("verify", *arguments, "--data", data, "--rpc", self.url)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedChain]:
    """Yield a chain with matches of all games. The matches are short, so the index stores
    checkpoints after fewer events than usual."""
    folder = tmp_path_factory.mktemp("verify")
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.store.match_state.CHECKPOINT_EVERY", 4)
        stack = contextlib.AsyncExitStack()
        it = runner.run(stack.enter_async_context(deployed_chain(folder)))
        runner.run(all_games(it))
        runner.run(indexed(it, folder / "index.db"))
        yield PlayedChain(runner, it, folder, rows_of(folder))
        runner.run(stack.aclose())


async def all_games(it: DeployedChain) -> None:
    """Play matches of the games for more than 50 blocks, with various actions."""
    await it.play(0, "create", 64, 64, False)
    await it.begin(2)
    await it.turn(1, 2, 1)
    ships = (await asyncio.to_thread(it.chain_board, 2))["ships"].values()
    lost = {ship["owner"].lower() for ship in ships if not ship["afloat"]}
    # communicating takes two ships, and the volley might have sunk one
    talker = 2 if it.accounts[1].lower() in lost else 1
    await it.play(talker, "communicate", 2)
    for number in range(2, 9):
        await it.turn(1, 2, number)
    use(it, "tic-tac-toe")
    for match, moves in ((1, "04182"), (2, "041"), (3, "")):
        host, challenger = 2 * match - 1, 2 * match
        await it.play(host, "create", NOBODY, 3600)
        await it.play(challenger, "accept", match)
        for ply, cell in enumerate(map(int, moves)):
            await it.play((host, challenger)[ply % 2], "move", match, ply, *divmod(cell, 3))
    await it.play(3, "offerRestart", 2)
    use(it, "battleship")
    await it.play(1, "invite", NOBODY, commitment(FLEET, bytes(32)), 3600, NOBODY, 0)
    await it.play(2, "accept", 1, commitment(FLEET, bytes(range(32))), 12)
    for hit, fired, following in ((True, 12, 40), (True, 40, 13), (True, 13, 98)):
        ply = (await asyncio.to_thread(it.chain_board, 1))["ply"]
        await it.play(1 + (fired == 40), "move", 1, ply, fired, hit, following)
    use(it, "touche-coule")
    await it.play(4, "create", 9, 9, False)
    await it.mine(6)


def use(it: DeployedChain, game: str) -> None:
    """Send the following calls to the contract of this game."""
    it.game = next(one for one in it.deployments if one.game == game)


async def indexed(it: DeployedChain, file: Path) -> None:
    with contextlib.closing(await fresh_store(file, it.node, it.deployments)):
        pass


def rows_of(data: Path) -> dict[str, Any]:
    with contextlib.closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as store:
        return rows(store)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Process few rows, blocks and boards at a time. The command must then put many parts
    together."""
    few = {
        "verify.partitions.BLOCKS": 7,
        "verify.partitions.EVENTS": 3,
        "verify.partitions.MATCHES": 1,
        "verify.partitions.MAX_POSITIONS": 2,
        "fetch.prefetch.INITIAL_BLOCKS": 5,
    }
    few |= {
        "verify.match_history.BLOCKS_PER_BATCH": 4,
        "verify.match_history.MAX_BOARDS": 1,
        "verify.match_history.MATCHES_PER_BATCH": 2,
        "verify.contract_views.MATCHES_PER_BATCH": 3,
    }
    for name, number in few.items():
        monkeypatch.setattr(f"indexer.{name}", number)


@pytest.fixture
def copy(played: PlayedChain, tmp_path: Path) -> Path:
    """Return a copy of the data folder, so that the test can change it."""
    for name in ("index.db", "deployment.json"):
        shutil.copy(played.data / name, tmp_path)
    return tmp_path


@contextlib.contextmanager
def opened(data: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(data / "index.db")) as database, database:
        yield database


# ---- correct databases


def test_what_is_right_is_said_to_be_in_one_line(played: PlayedChain) -> None:
    fits = played.verify(played.data).verified_counts
    assert int(fits["blocks"]) == len(played.right["block"])
    assert int(fits["events"]) == len(played.right["event"])
    assert fits["more"] == ""


def all_views(played: PlayedChain, fits: dict[str, str]) -> bool:
    """Return True if the command checked the views at all blocks since the first event. No match
    exists before this event."""
    first, last = (edge(row[0] for row in played.right["event"]) for edge in (min, max))
    top = max(row[0] for row in played.right["block"])
    return top > last and int(fits["at"]) == top - first + 1


def test_the_views_of_all_the_last_50_blocks_are_checked(played: PlayedChain) -> None:
    """Tests that the command checks the contracts' views at all of the last 50 blocks, including
    blocks without events. It checks at least one match at each block, and all matches at the
    head."""
    fits = played.verify(played.data).verified_counts
    assert int(fits["at"]) >= 50
    assert all_views(played, fits)
    assert int(fits["checked"]) >= int(fits["at"]) + len(played.matches) - 1
    assert fits["pruned"] == "0"


def test_many_small_parts_give_the_same(played: PlayedChain, small: None) -> None:  # noqa: ARG001
    fits = played.verify(played.data).verified_counts
    assert all_views(played, fits)
    assert int(fits["blocks"]) == len(played.right["block"])


@pytest.mark.parametrize("match", ["touche-coule/2", "tic-tac-toe/2", "battleship/1"])
def test_one_match_is_proved_by_itself(played: PlayedChain, match: str) -> None:
    game, number = match.split("/")
    fits = played.verify(played.data, match).verified_counts
    assert fits["match"] == match
    assert int(fits["events"]) == sum(row[2:4] == (game, int(number)) for row in played.right["event"])
    assert int(fits["checked"]) >= 4


def test_a_database_is_proved_by_its_own_word_where_there_is_no_manifest(played: PlayedChain, copy: Path) -> None:
    (copy / "deployment.json").unlink()
    assert int(played.verify(copy).verified_counts["events"]) == len(played.right["event"])


def test_a_chain_without_blooms_is_proved_too(played: PlayedChain, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_node(monkeypatch, without_bloom(lambda _height: True))
    assert int(played.verify(played.data).verified_counts["events"]) == len(played.right["event"])


def test_a_game_without_a_view_is_proved_by_the_number_of_events(
    played: PlayedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "tic-tac-toe", replace(GAMES["tic-tac-toe"], from_contract=None))
    fits = played.verify(played.data).verified_counts
    assert fits["more"] == "; for tic-tac-toe, only the number of events was checked, because the game has no view"
    assert all_views(played, fits)


def test_what_is_not_indexed_yet_is_told_and_no_difference(played: PlayedChain, copy: Path) -> None:
    """Tests that the command reports blocks that the stopped indexer hasn't read yet, but doesn't
    count them as differences. A repair reads these blocks, too."""
    head = max(row[0] for row in played.right["block"])
    with contextlib.closing(Store(f"sqlite:///{copy / 'index.db'}", GAMES)) as store:
        store.delete_blocks_from(head - 19)
    fits = played.verify(copy).verified_counts
    assert (int(fits["top"]), fits["more"]) == (head - 20, f"; not indexed yet: 20 blocks, up to block {head}")
    mended = played.verify(copy, "--repair")
    assert mended.out.startswith("Repaired (rows): 20 blocks that had not been indexed yet\nVerified"), mended
    assert rows_of(copy) == played.right


# ---- errors


def seeded(seed: int) -> Any:
    return seed if KINDS[seed].__name__ in ONE_A_TABLE else pytest.param(seed, marks=pytest.mark.soak)


@pytest.mark.parametrize("seed", [seeded(number) for number in range(CORRUPTIONS)])
def test_a_corruption_is_found_named_and_repaired(
    played: PlayedChain, copy: Path, seed: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    # no other process is using this database
    monkeypatch.setattr("indexer.verify.audit.GRACE_SECONDS", 0.1)
    if seed % 2:
        request.getfixturevalue("small")
    corrupt = KINDS[seed % len(KINDS)]
    with opened(copy) as database:
        wanted = corrupt(Random(seed), database)
    if seed % 2 == 0:
        found = played.verify(copy)
        assert found.code == 1, found
        named(wanted, found.out)
        assert "--repair" in found.err
    mended = played.verify(copy, "--repair")
    assert mended.code == 0, mended
    found_first, repaired, line = mended.out.partition("Repaired (rows): ")
    named(wanted, found_first)
    assert VERIFIED.fullmatch(line.partition("\n")[2]), repaired
    assert rows_of(copy) == played.right


def test_checkpoints_that_are_missing_are_no_fault(played: PlayedChain, copy: Path) -> None:
    with opened(copy) as database:
        database.execute("DELETE FROM checkpoint WHERE seq > 4")
        [(left,)] = database.execute("SELECT count(*) FROM checkpoint").fetchall()
    assert 0 < left < len(played.right["checkpoint"])
    assert played.verify(copy).verified_counts
    assert played.verify(copy, "touche-coule/2").verified_counts


def named(wanted: list[str], said: str) -> None:
    for words in wanted:
        assert words in said


def test_each_kind_of_corruption_is_tried_and_every_table_is_compared() -> None:
    assert len(KINDS) <= CORRUPTIONS
    assert {each.__name__ for each in KINDS} >= ONE_A_TABLE
    assert set(BARE_TABLES) == set(SQLModel.metadata.tables) - OF_NO_CHAIN


@pytest.mark.parametrize("kind", ["another_argument", "numbers_swapped"])
def test_what_is_wrong_with_one_match_is_found_and_mended_alone(played: PlayedChain, copy: Path, kind: str) -> None:
    corrupt = next(one for one in KINDS if one.__name__ == kind)
    with opened(copy) as database:
        (words, *_) = corrupt(Random(1), database)
        database.execute("UPDATE block SET time = 1 WHERE height = 2")
    (guilty,) = {match for match in played.matches if played.verify(copy, match).code}
    assert words in played.verify(copy, guilty).out
    assert played.verify(copy, guilty, "--repair").code == 0
    assert {match for match in played.matches if played.verify(copy, match).code} == set()
    rest = played.verify(copy)
    assert (rest.code, rest.out.count("\n")) == (1, 1)
    assert rest.out.startswith("block 2: time is 1, on the chain ")


def test_a_board_that_is_not_the_contracts_is_named_and_no_repair_is_feigned(
    played: PlayedChain, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong reducer makes a board differ from the contract's board. Tests that the command names
    this board but doesn't claim to repair it. A new index would have the same wrong board."""
    game = GAMES["tic-tac-toe"]
    mistaken: dict[str, Any] = {**game.reducers, "Moved": lambda board, _event: board}
    monkeypatch.setitem(GAMES, game.slug, replace(game, reducers=mistaken))
    played.runner.run(indexed(played.chain, copy / "anew.db"))
    (copy / "anew.db").replace(copy / "index.db")
    for arguments in ((), ("--repair",)):
        found = played.verify(copy, *arguments)
        assert found.code == 1, found
        assert re.search(r"^board tic-tac-toe/1 at block \d+: cells.0 is nothing, in the contract 1; ", found.out, re.M)
        assert "disagree" in found.err
        assert "Verified" not in found.out


# ---- cases that the command can't decide


AnswerPatch = Callable[[str, Any, Any], Any]


def patch_node(monkeypatch: pytest.MonkeyPatch, patch_answer: AnswerPatch) -> None:
    """Let `chainboard verify` use a node that gives wrong answers."""
    monkeypatch.setattr("chainboard.commands.verify.node_at", lambda _settings, urls: LyingNode(urls[0], patch_answer))


def without_bloom(where: Callable[[int], bool]) -> AnswerPatch:
    def patch_answer(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and answer and where(int(answer["number"], 16)):
            return {**answer, "logsBloom": NO_BLOOM}
        return answer

    return patch_answer


def refused(said: CommandResult, words: str) -> bool:
    """Return True if the command printed only one line, an error that contains these words."""
    return said.code == 1 and said.out == "" and words in said.err and said.err.count("\n") == 1


def last_event(played: PlayedChain, name: str) -> int:
    return int(max(row[0] for row in played.right["event"] if row[5] == name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Answered", "expected event"),
        ("RestartOffered", "the contract has counted 8 events, but the node's logs have 7"),
        ("Size", "the contract has opened matches up to number 3, but the node's logs end at number 2"),
    ],
)
def test_a_node_that_hides_a_block_is_found_out_and_the_database_not_blamed(
    played: PlayedChain, copy: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    """A node hides a block behind a wrong, empty bloom filter. The block is in the middle of a
    match, at its end, or the match's only block. Tests that the command blames the node, not the
    database."""
    hidden = last_event(played, name) - (name == "Answered")
    patch_node(monkeypatch, without_bloom(lambda height: height == hidden))
    for arguments in ((), ("--repair",)):
        assert refused(played.verify(copy, *arguments), words)
    assert rows_of(copy) == played.right


@pytest.mark.parametrize("match", ["tic-tac-toe/2", "touche-coule/3"])
def test_a_match_is_not_believed_to_be_shorter_than_its_contract_says(
    played: PlayedChain, monkeypatch: pytest.MonkeyPatch, match: str
) -> None:
    hidden = {last_event(played, "RestartOffered"), last_event(played, "Size")}
    patch_node(monkeypatch, without_bloom(hidden.__contains__))
    assert refused(played.verify(played.data, match), "the contract has ")


def test_receipts_that_are_not_whole_are_refused(played: PlayedChain, monkeypatch: pytest.MonkeyPatch) -> None:
    def patch_answer(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getBlockReceipts":
            return [{**one, "logs": one["logs"][:-1]} for one in answer]
        return answer

    patch_node(monkeypatch, patch_answer)
    assert refused(played.verify(played.data), "nothing can be verified with it: the receipts of block")


def test_a_node_that_lags_is_no_reason_for_an_alarm(
    played: PlayedChain, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = max(row[0] for row in played.right["block"])
    block = played.runner.run(played.chain.node.request("eth_getBlockByNumber", (hex(head - 5), False)))

    def patch_answer(method: str, params: Any, answer: Any) -> Any:
        if method == "eth_getBlockByNumber":
            return block if params[0] == "latest" else answer if int(params[0], 16) <= head - 5 else None
        return answer

    patch_node(monkeypatch, patch_answer)
    monkeypatch.setattr("indexer.verify.audit.GRACE_SECONDS", 0.3)
    for arguments in ((), ("--repair",)):
        words = f"the node is at block {head - 5}, but the database is at block {head}"
        assert refused(played.verify(copy, *arguments), words)
    assert rows_of(copy) == played.right


def test_a_node_that_is_lost_is_told(played: PlayedChain) -> None:
    with reserved_port() as port:
        said = chainboard("verify", "--data", played.data, "--rpc", f"http://127.0.0.1:{port}")
    assert refused(said, f"the node at http://127.0.0.1:{port} is unavailable")


def test_a_database_of_another_chain_is_never_overwritten(played: PlayedChain, copy: Path) -> None:
    """Tests that a database of a different chain is never overwritten. In this test, only the
    database names its chain, and no manifest names the node's chain."""
    (copy / "deployment.json").unlink()
    with opened(copy) as database:
        database.execute("UPDATE chain SET genesis = '0x00'")
    before = rows_of(copy)
    for arguments in ((), ("--repair",)):
        assert refused(played.verify(copy, *arguments), "the database belongs to chain 31337 (genesis 0x00)")
    assert rows_of(copy) == before


@pytest.mark.parametrize("speaks", [False, True])
async def test_a_node_of_another_chain_changes_nothing(
    played: PlayedChain, copy: Path, tmp_path: Path, speaks: bool
) -> None:
    """Tests that a node on a different chain changes nothing, even if the manifest in the data
    folder names the node's chain."""
    async with deployed_chain(tmp_path / "other") as other:
        database = f"sqlite:///{copy / 'index.db'}"
        settings = Settings(other.folder if speaks else copy, database, (other.node.url,))
        for repair in (False, True):
            with pytest.raises(UserError, match="Nothing was changed"):
                await verify.verify(settings, None, repair)
    assert rows_of(copy) == played.right


def test_no_database_and_no_chain_are_told(played: PlayedChain, copy: Path, tmp_path: Path) -> None:
    assert refused(played.verify(tmp_path / "nowhere"), "there is no database at")
    assert refused(chainboard("verify", "--data", copy), "set --rpc to a node on the database's chain")
    Store(f"sqlite:///{tmp_path / 'empty.db'}", GAMES).close()
    said = played.verify(copy, "--database", f"sqlite:///{tmp_path / 'empty.db'}")
    assert refused(said, "the database is empty")


def test_what_is_no_match_is_told(played: PlayedChain, copy: Path) -> None:
    assert refused(played.verify(copy, "tic-tac-toe/77"), "there is no match tic-tac-toe/77 on the chain")
    said = played.verify(copy, "chess/1")
    assert (said.code, said.out) == (2, "")
    assert "There is no game" in re.sub(r"[\s│]+", " ", said.err)
    assert refused(played.verify(copy, str(copy / "index.db")), "is not a replay file")


# ---- changes during the command


async def forked(folder: Path) -> tuple[contextlib.AsyncExitStack, DeployedChain, Store]:
    """Return a database, and a chain that has forked from it: the last three blocks in the database
    are no longer on the chain."""
    stack = contextlib.AsyncExitStack()
    it = await stack.enter_async_context(deployed_chain(folder))
    await it.play(0, "create", 64, 64, False)
    await it.begin(2)
    store = stack.enter_context(contextlib.closing(await fresh_store(folder / "index.db", it.node, it.deployments)))
    await it.node.request("anvil_reorg", (3, []))
    await it.mine(2)
    return stack, it, store


async def test_a_chain_with_the_same_genesis_and_without_the_contracts_is_another(tmp_path: Path) -> None:
    stack, it, store = await forked(tmp_path)
    async with stack:
        before = rows(store)
        await it.node.request("anvil_rollback", ((await it.node.head()).height,))
        await it.mine(len(before["block"]) + 10)
        for repair in (False, True):
            with pytest.raises(UserError, match=r"is not at 0x.* there.*Nothing was changed"):
                await verify.verify(Settings(tmp_path, rpc=(it.node.url,)), None, repair)
        assert rows(store) == before


async def test_a_reorg_under_way_is_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, has_forked = list[bool](), audit.Audit._has_forked

    def look(*arguments: Any) -> bool:
        looks.append(has_forked(*arguments))
        return looks[-1]

    monkeypatch.setattr(audit.Audit, "_has_forked", look)
    monkeypatch.setattr(audit, "GRACE_SECONDS", PATIENCE_SECONDS)
    stack, it, store = await forked(tmp_path)
    async with stack:
        verifying = asyncio.create_task(verify.verify(Settings(tmp_path, rpc=(it.node.url,)), None, False))
        await wait_for_async(lambda: looks or verifying.done(), bool, "the first look")
        assert not verifying.done()
        follower = Follower(it.node, store, it.deployments)
        while (await follower.sync()).more:
            pass
        await verifying
        assert VERIFIED.fullmatch(capsys.readouterr().out)


async def test_a_reorg_that_nobody_follows_is_named_and_followed_by_a_repair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.verify.audit.GRACE_SECONDS", 0.3)
    stack, it, store = await forked(tmp_path)
    async with stack:
        top = max(row[0] for row in rows(store)["block"])
        with pytest.raises(UserError, match="differs"):
            await verify.verify(Settings(tmp_path, rpc=(it.node.url,)), None, False)
        said = capsys.readouterr().out
        assert [f"block {height}: hash is " in said for height in range(top - 3, top + 1)] == [False, True, True, True]
        await verify.verify(Settings(tmp_path, rpc=(it.node.url,)), None, True)
        assert rows(store) == await it.fresh_rows()
