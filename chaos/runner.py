"""Runs a scenario: faults between a real process, a real node and real clients; then all must agree."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from chainboard.chain.deployment import known_deployments
from chainboard.settings import Settings
from chaos.chain.anvil_chain import AnvilChain, Json
from chaos.chain.chain_driver import HEARD_SECONDS, ChainDriver, until
from chaos.chain.contract import contracts_in
from chaos.chain.recorded_chain import ACCOUNTS, RecordedChain
from chaos.chain.workload import Workload
from chaos.clients.group import ClientGroup
from chaos.faults.byzantine import MissingLogs, StaleReplica
from chaos.faults.counts import FaultCounts
from chaos.faults.fault import Fault
from chaos.faults.proxy import FaultProxy
from chaos.game import Play
from chaos.oracle import build_fresh_index, contract_boards, difference, event_ids, open_snapshot, rows_of
from chaos.process.kill_points import KillPoints
from chaos.process.ports import held_port
from chaos.process.process import ChainboardProcess
from chaos.scenario import Scenario, ScenarioStep, draw_scenario
from indexer.games import GAMES
from indexer.model import match_name

RPC_TIMEOUT = 1
"""Seconds after which our process gives up a request; shorter than a long delay."""
SERVING_SECONDS, SETTLED_SECONDS, DEPLOYED_SECONDS, KILLED_SECONDS = 30.0, 30.0, 30.0, 2.5
SCENARIO_SECONDS = 120
ITSELF = "the story itself failed"
AGAIN_SECONDS = 0.1
HIT_SECONDS = 0.3
BLOCKS_DOWN = 3
FORBIDDEN_OUTPUT = (
    "Traceback",
    "something unforeseen",
    "never retrieved",
    "never awaited",
    "could not read the database",
)
"""What our process never prints."""


class InvariantBroken(Exception):
    """An invariant does not hold."""


@dataclass(slots=True)
class ScenarioReport:
    """How a scenario went. `violations`: a sentence for each; empty: it went well."""

    scenario: Scenario
    violations: list[str] = field(default_factory=list)
    counts: dict[str, list[int]] = field(default_factory=dict)
    seconds: float = 0.0
    log: str = ""


class ScenarioRunner:
    """Runs one scenario, once, in a folder of its own."""

    def __init__(
        self,
        seed: int,
        plays: Sequence[Play],
        recorded: RecordedChain,
        folder: Path,
        without: Sequence[str] = (),
        patience: float = SETTLED_SECONDS,
    ) -> None:
        self.scenario = draw_scenario(seed)
        self._plays, self._recorded = list(plays), recorded
        self._folder, self._without, self._patience = folder, without, patience
        self._counts = FaultCounts()
        self._faults: list[Fault] = []

    async def play(self) -> ScenarioReport:
        """Runs it to its end; violations are in the report."""
        report, begin = ScenarioReport(self.scenario), time.monotonic()
        async with AsyncExitStack() as stack:
            await self._open(stack)
            try:
                async with asyncio.timeout(SCENARIO_SECONDS):
                    await self._happen()
                    await self._end()
            except InvariantBroken as broken:
                report.violations.append(str(broken))
            except TimeoutError:
                report.violations.append(f"the story did not end within {SCENARIO_SECONDS} seconds")
            except Exception as error:  # the kit's own, or what it could not foresee: the other stories go on
                report.violations.append(f"{ITSELF}: {error!r}")
                report.log += traceback.format_exc()
            report.violations += self._printed()
            report.log += self._process.output()
        self._driver.observe()
        report.counts = self._counts.counts()
        report.seconds = time.monotonic() - begin
        if not report.violations:
            shutil.rmtree(self._folder, ignore_errors=True)
        return report

    # ---- the stage

    async def _open(self, stack: AsyncExitStack) -> None:
        self._session = await stack.enter_async_context(ClientSession(timeout=ClientTimeout(total=10)))
        self._chain = AnvilChain(self._folder)
        stack.push_async_callback(self._chain.stop)
        await self._chain.start()
        self._proxy = FaultProxy(self._counts)
        await self._proxy.start()
        stack.push_async_callback(self._proxy.stop)
        self._proxy.point_at(self._chain.url)
        workload = Workload(self._chain, self._plays, (await self._chain.request("eth_accounts"))[:ACCOUNTS])
        self._driver = ChainDriver(self._chain, self._proxy, workload, self._counts)
        self._settings = Settings(self._folder / "data")
        await self._recorded.replay(self._chain, self._settings.data)
        _genesis, workload.contracts = contracts_in(self._settings.manifest)
        self._port = stack.enter_context(held_port())  # of all its runs
        self._process = self._new_process()
        stack.push_async_callback(self._process.kill)
        self._kill_points = KillPoints(self._process.phases_file)
        stack.callback(self._kill_points.close)
        self._clients = ClientGroup(self._session, f"ws://127.0.0.1:{self._port}/ws")
        stack.push_async_callback(self._clients.stop)

    def _new_process(self) -> ChainboardProcess:
        arguments = ["up", "--rpc", self._proxy.url, "--dev", "--data", str(self._settings.data)]
        arguments += ["--port", str(self._port), "--rpc-timeout", str(RPC_TIMEOUT)]
        return ChainboardProcess(self._folder, arguments, self._without)

    async def _get(self, path: str) -> Any:
        """The JSON at a path of our process; None while it does not answer."""
        try:
            async with self._session.get(f"http://127.0.0.1:{self._port}{path}") as answer:
                return await answer.json() if answer.status == 200 else None
        except (ClientError, OSError, TimeoutError):
            return None

    # ---- what happens

    async def _happen(self) -> None:
        random = Random(self.scenario.seed)
        await self._start()
        for _ in range(self.scenario.clients):
            self._join(random)
        for step in self.scenario.steps:
            if os.environ.get("CHAOS_TRACE"):
                print(round(time.monotonic() % 1000, 2), step, await self._chain.height(), flush=True)
            await self._take(step, Random(step.seed))
            self._still_there()

    async def _start(self) -> None:
        self._process.start()
        end = time.monotonic() + SERVING_SECONDS
        while await self._get("/api/health") is None:
            self._still_there()
            if time.monotonic() > end:
                raise InvariantBroken(f"our process does not serve after {SERVING_SECONDS:.0f} seconds")
            await asyncio.sleep(0.02)

    def _still_there(self) -> None:
        if not self._process.alive:
            last = self._process.output().strip().rpartition("\n")[2]
            raise InvariantBroken(f"our process ended by itself with code {self._process.code}: {last}")

    def _join(self, random: Random) -> None:
        self._clients.join(random, [play.game for play in self._plays], 12)

    async def _take(self, step: ScenarioStep, random: Random) -> None:
        if step.what == "blocks":
            await self._driver.blocks(random, step.count)
        elif step.what == "kill":
            await self._kill(step, random)
        elif step.what == "rollback":
            await self._driver.rollback(step.count)
        elif step.what == "genesis":
            await self._replace_chain(step)
        elif step.what.startswith("reorg"):
            await self._reorg(step, random)
        elif step.what == "client-leaves":
            await self._clients.leave(random)
        elif step.what == "client-comes":
            if not self._clients.come_back(random):
                self._join(random)
        else:
            await self._fault(step, random)

    async def _reorg(self, step: ScenarioStep, random: Random) -> None:
        if step.what == "reorg-twice":
            await self._driver.reorg(random, step.count, step.how, also=("reorg-twice",))
            await asyncio.sleep(random.choice((0, 0.01, 0.1)))
            await self._driver.reorg(random, random.randint(1, 2 * step.count), step.how, heard=False)
        elif step.what == "reorg-queued":
            self._proxy.arm(Fault("delay", "short", 3, random))
            await self._driver.blocks(random, 3)
            await self._driver.wait_until_heard(str((await self._chain.head())["hash"]), 0.2)
            await self._driver.reorg(random, step.count, step.how, heard=False, also=("reorg-queued",))
        else:
            await self._driver.reorg(random, step.count, step.how)

    async def _replace_chain(self, step: ScenarioStep) -> None:
        await self._driver.replace_chain(step.count / 10)
        genesis = (await self._chain.blocks(0, 0))[0]["hash"]
        end = time.monotonic() + DEPLOYED_SECONDS
        while True:
            written, contracts = contracts_in(self._settings.manifest)
            if written == genesis and len(contracts) >= len(self._plays):
                break
            self._still_there()
            if time.monotonic() > end:
                raise InvariantBroken(f"no contracts {DEPLOYED_SECONDS:.0f} seconds after the chain began anew")
            await asyncio.sleep(0.02)
        self._driver.workload.contracts = contracts

    async def _kill(self, step: ScenarioStep, random: Random) -> None:
        """Ends our process, lets blocks pass meanwhile, and starts it again."""
        kind = f"kill-{step.how}"
        self._counts.inject(kind)
        if step.how == "any":
            await self._driver.blocks(random, 1)
            await asyncio.sleep(step.count / 1000)
            await self._process.kill()
            self._counts.observe(kind)
        elif await self._killed_at(step, random):
            self._counts.observe(kind)
        await self._process.kill()
        await self._driver.blocks(random, random.randint(0, BLOCKS_DOWN))
        await self._start()

    async def _killed_at(self, step: ScenarioStep, random: Random) -> bool:
        phase = random.choice(("commit", "inside")) if step.how == "commit" else step.how
        self._kill_points.kill_at(phase, step.count)
        end = time.monotonic() + KILLED_SECONDS
        while time.monotonic() < end:
            await self._driver.blocks(random, 1)
            if await self._process.ended(0.2):
                if self._process.code != -signal.SIGKILL:
                    self._still_there()
                return True
        self._kill_points.disarm()
        return False

    async def _fault(self, step: ScenarioStep, random: Random) -> None:
        if step.how == "opening":
            self._proxy.stop_faults()
            self._proxy.answer_wrongly(MissingLogs(step.what, "block", step.count, random))
            before = self._counts.observed[step.what]
            await self._driver.workload.mine_moves(random, 2, opening=True)
            await until(lambda: self._counts.observed[step.what] > before, HEARD_SECONDS)
        elif step.what.startswith("short-logs"):
            self._proxy.answer_wrongly(MissingLogs(step.what, step.how, step.count, random))
            self._proxy.arm(Fault("delay", "short", 1, random))  # so that blocks wait, and come in a range
            await self._driver.blocks(random, 3)
        elif step.what == "stale-replica":
            await self._lag(step, random)
        else:
            fault = Fault(step.what, step.how, step.count, random)
            self._proxy.arm(fault)
            await self._driver.blocks(random, random.randint(1, 2))
            await until(lambda: fault.hits <= 0, HIT_SECONDS)

    async def _lag(self, step: ScenarioStep, random: Random) -> None:
        """A replica lags: nothing may be forgotten for that."""
        await self._driver.blocks(random, step.count)
        # what a lie left out is fetched by forgetting: then nothing can be said here
        reached = 0 if self._proxy.is_answering_wrongly else await self._reached()
        height = await self._chain.height() - step.count
        self._proxy.answer_wrongly(
            StaleReplica(height, random.uniform(0.3, 1.0), random.choice((0.5, 0.8, 1.0)), random)
        )
        await self._driver.blocks(random, 1)
        end = time.monotonic() + HIT_SECONDS
        while time.monotonic() < end:
            health = await self._get("/api/health")
            if health is not None and (health["indexedHead"] or 0) < reached:
                raise InvariantBroken(f"blocks up to {reached} were indexed, and while the node lags only {health}")
            await asyncio.sleep(0.03)

    async def _reached(self) -> int:
        """The head, once our process has indexed it; 0 when that does not come soon."""
        head = await self._chain.head()
        end = time.monotonic() + HIT_SECONDS
        while time.monotonic() < end:
            with open_snapshot(self._settings.data / "index.db") as snapshot:
                tip = snapshot.tip()
            if tip is not None and tip.hash == head["hash"]:  # not its height: after a rollback there are old blocks
                return tip.height
            await asyncio.sleep(0.03)
        return 0

    # ---- the end

    async def _end(self) -> None:
        """Stops all faults; then, without help, all must agree soon."""
        self._proxy.stop_faults()
        await self._driver.leave_old_blocks(Random(self.scenario.seed))
        self._clients.all_back()
        end = time.monotonic() + self._patience
        while wrong := await self._lagging() or await self._violations():
            self._still_there()
            if time.monotonic() > end:
                raise InvariantBroken("; ".join(wrong))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _lagging(self) -> list[str]:
        """Why it makes no sense to compare yet."""
        health, head = await self._get("/api/health"), await self._chain.head()
        height = int(head["number"], 16)
        if health is None or health["state"] != "ok" or health["indexedHead"] != height:
            return [f"the chain is at block {height}, health says {health}"]
        return []

    async def _violations(self) -> list[str]:
        """What does not agree (yet): database and fresh index, boards and contracts, clients and all of them."""
        fresh = self._folder / "fresh.db"
        for old in self._folder.glob("fresh.db*"):
            old.unlink()
        await build_fresh_index(fresh, self._chain, known_deployments(self._settings))
        wanted, found = rows_of(fresh), rows_of(self._settings.data / "index.db")
        wrong = [f"the database is not that of the chain: {why}" for why in [difference(found, wanted)] if why]
        with open_snapshot(fresh) as snapshot:
            boards = {match_name(one.game, one.match): one for one in snapshot.summaries(limit=10_000)}
            events = {name: event_ids(snapshot, one) for name, one in boards.items()}
        wrong += await self._view_violations({name: (one.board, one.seq) for name, one in boards.items()})
        return wrong + self._clients.violations(await self._served(), events)

    async def _view_violations(self, boards: Mapping[str, tuple[Json, int]]) -> list[str]:
        wrong = []
        for match, raw in (await contract_boards(self._chain, self._driver.workload.contracts)).items():
            game = GAMES[match.split("/")[0]]
            board, seq = boards.get(match, (game.start, 0))
            if raw["seq"] != seq or (
                game.from_contract and game.from_board and game.from_contract(raw) != game.from_board(board)
            ):
                wrong.append(f"{match}: the board is another than the contract's")
        return wrong

    async def _served(self) -> dict[str, Json]:
        """The server's boards of the matches that are watched, by name; without those it does not know."""
        found = {match: await self._get(f"/api/matches/{match}") for match in sorted(self._clients.watched)}
        return {match: answer["board"] for match, answer in found.items() if answer is not None}

    def _printed(self) -> list[str]:
        said = self._process.output()
        return [f"our process printed {word!r}" for word in FORBIDDEN_OUTPUT if word in said]
