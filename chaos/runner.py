"""Runs a scenario. It injects faults between a real process, its node and its clients, and runs the
final checks afterwards."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
import traceback
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from chaos.chain.chain_driver import SEEN_SECONDS, polls, wait_until
from chaos.chain.contract import contracts_in
from chaos.chain.recorded_chain import RecordedChain
from chaos.consistency import violations
from chaos.faults.byzantine import MissingLogs, StaleReplica
from chaos.faults.counts import FaultCounts
from chaos.faults.fault import Fault
from chaos.game import Play
from chaos.harness import Harness, InvariantViolated
from chaos.oracle import open_matches, open_snapshot
from chaos.scenario import Scenario, ScenarioStep, draw_scenario

SETTLED_SECONDS, DEPLOYED_SECONDS, KILLED_SECONDS = 60.0, 120.0, 2.5
SCENARIO_SECONDS, OPPONENTS_SECONDS = 180, 270
SCENARIO_FAILED = "the scenario itself failed"
RETRY_SECONDS = 0.1
HIT_SECONDS = 0.3
MAX_BLOCKS_WHILE_DOWN = 3
ANSWER_SECONDS = 0.3
"""The number of seconds within which computer players usually answer a move."""


@dataclass(slots=True)
class ScenarioReport:
    """The result of a scenario. `violations` contains one sentence per violated invariant."""

    scenario: Scenario
    violations: list[str] = field(default_factory=list)
    counts: dict[str, list[int]] = field(default_factory=dict)
    seconds: float = 0.0
    log: str = ""
    transaction_states: dict[str, int] = field(default_factory=dict)
    """The number of the computer players' and the keeper's transactions in each state."""

    @property
    def figures(self) -> dict[str, Any]:
        return {"seconds": self.seconds, "counts": self.counts, "transaction_states": self.transaction_states}


class ScenarioRunner:
    """Runs a scenario once, with its own folder for files."""

    def __init__(
        self,
        seed: int,
        plays: Sequence[Play],
        recorded: RecordedChain,
        folder: Path,
        without: Sequence[str] = (),
        patience: float = SETTLED_SECONDS,
        opponents: bool = False,
        database: str | None = None,
    ) -> None:
        self.scenario = draw_scenario(seed, opponents)
        self._plays, self._folder, self._patience = list(plays), folder, patience
        self._counts = FaultCounts()
        self._harness = Harness(folder, self._plays, recorded, without, self._counts, opponents, database)

    async def play(self) -> ScenarioReport:
        """Run the whole scenario, and return its report. Violated invariants are in the report."""
        report, begin = ScenarioReport(self.scenario), time.monotonic()
        seconds = OPPONENTS_SECONDS if self.scenario.opponents else SCENARIO_SECONDS
        async with AsyncExitStack() as stack:
            await self._harness.open(stack)
            try:
                async with asyncio.timeout(seconds):
                    await self._run_steps()
                    await self._check_consistency()
            except InvariantViolated as violated:
                report.violations.append(str(violated))
            except TimeoutError:
                report.violations.append(f"the scenario did not end within {seconds} seconds")
            except Exception as error:  # an unexpected error must not stop the other scenarios
                report.violations.append(f"{SCENARIO_FAILED}: {error!r}")
                report.log += traceback.format_exc()
            report.transaction_states = self._harness.computer_players.transaction_states(
                self._harness.settings.opponents_journal
            )
            report.violations += self._harness.forbidden_output()
            report.log += self._harness.process.output()
        self._harness.driver.observe()
        report.counts = self._counts.counts()
        report.seconds = time.monotonic() - begin
        if not report.violations:
            shutil.rmtree(self._folder, ignore_errors=True)
        return report

    # ---- the steps

    async def _run_steps(self) -> None:
        random = Random(self.scenario.seed)
        await self._harness.start()
        if self.scenario.opponents:
            await self._harness.computer_players.wait()
        for _ in range(self.scenario.clients):
            self._join(random)
        for step in self.scenario.steps:
            if os.environ.get("CHAOS_TRACE"):
                print(round(time.monotonic() % 1000, 2), step, await self._harness.chain.height(), flush=True)
            await self._run_step(step, Random(step.seed))
            self._harness.require_alive()

    def _join(self, random: Random) -> None:
        self._harness.clients.join(random, [play.game for play in self._plays], 12)

    async def _run_step(self, step: ScenarioStep, random: Random) -> None:
        if step.what == "blocks":
            await self._harness.driver.blocks(random, step.count)
        elif step.what == "kill":
            await self._kill(step, random)
        elif step.what == "rollback":
            await self._harness.driver.rollback(step.count)
        elif step.what == "genesis":
            await self._replace_chain(step)
        elif step.what.startswith("reorg"):
            await self._reorg(step, random)
        elif step.what == "opponents-play":
            await self._play_opponents(step, random)
        elif step.what == "kill-opponents":
            await self._kill_opponents(step, random)
        elif step.what == "node-lost":
            await self._harness.driver.lose_node(step.count / 10)
        elif step.what == "client-leaves":
            await self._harness.clients.leave(random)
        elif step.what == "client-comes":
            if not self._harness.clients.reconnect(random):
                self._join(random)
        else:
            await self._fault(step, random)

    async def _reorg(self, step: ScenarioStep, random: Random) -> None:
        if step.what == "reorg-twice":
            await self._harness.driver.reorg(random, step.count, step.how, also=("reorg-twice",))
            await asyncio.sleep(random.choice((0, 0.01, 0.1)))
            await self._harness.driver.reorg(random, random.randint(1, 2 * step.count), step.how, seen=False)
        elif step.what == "reorg-queued":
            self._harness.proxy.arm(Fault("delay", "short", 3, random))
            await self._harness.driver.blocks(random, 3)
            await self._harness.driver.wait_until_seen(str((await self._harness.chain.head())["hash"]), 0.2)
            await self._harness.driver.reorg(random, step.count, step.how, seen=False, also=("reorg-queued",))
        else:
            await self._harness.driver.reorg(random, step.count, step.how)

    async def _replace_chain(self, step: ScenarioStep) -> None:
        await self._harness.driver.replace_chain(step.count / 10)
        genesis, head = (await self._harness.chain.blocks(0, 0))[0]["hash"], None
        while (now := (await self._harness.chain.head())["hash"]) != head:  # each contract is deployed in its own block
            head = now
            async for _ in polls(DEPLOYED_SECONDS, 0.02):
                written, contracts = contracts_in(self._harness.settings.manifest)
                if written == genesis and len(contracts) >= len(self._plays):
                    self._harness.driver.workload.contracts = contracts
                    return
                self._harness.require_alive()
        raise InvariantViolated(f"no contract was deployed on the new chain within {DEPLOYED_SECONDS:.0f} seconds")

    async def _kill(self, step: ScenarioStep, random: Random) -> None:
        """Kill the tested process as the step says, mine some blocks, and restart the process."""
        kind = f"kill-{step.how}"
        self._counts.inject(kind)
        if step.how == "any":
            await self._harness.driver.blocks(random, 1)
            await asyncio.sleep(step.count / 1000)
        if step.how == "any" or await self._killed_at(step, random):
            self._counts.observe(kind)
        await self._harness.process.kill()
        await self._harness.driver.blocks(random, random.randint(0, MAX_BLOCKS_WHILE_DOWN))
        await self._harness.start()

    async def _killed_at(self, step: ScenarioStep, random: Random) -> bool:
        phase = random.choice(("commit", "inside")) if step.how == "commit" else step.how
        self._harness.kill_points.kill_at(phase, step.count)
        async for _ in polls(KILLED_SECONDS, 0):
            await self._harness.driver.blocks(random, 1)
            if await self._harness.process.exited_within(0.2):
                if self._harness.process.code != -signal.SIGKILL:
                    self._harness.require_alive()
                return True
        self._harness.kill_points.disarm()
        return False

    async def _play_opponents(self, step: ScenarioStep, random: Random) -> None:
        computer_players, driver = self._harness.computer_players, self._harness.driver
        await computer_players.wait()
        await computer_players.request_opponent(random, await open_matches(driver.chain, driver.workload.contracts))
        for _ in range(step.count):
            await driver.workload.mine_moves(random, random.randint(1, 4))
            await asyncio.sleep(ANSWER_SECONDS)

    async def _kill_opponents(self, step: ScenarioStep, random: Random) -> None:
        """Kill only the computer players' process. The tested process restarts it."""
        computer_players, driver = self._harness.computer_players, self._harness.driver
        await computer_players.wait()
        self._counts.inject(step.what)
        if step.how == "any":
            await driver.blocks(random, 1)
            await asyncio.sleep(step.count / 1000)
            killed = computer_players.process.kill()
        else:
            computer_players.kill_points.kill_at(step.how, step.count)
            async for _ in polls(KILLED_SECONDS, ANSWER_SECONDS):
                if not computer_players.process.alive:
                    break
                await driver.blocks(random, 1)
            computer_players.kill_points.disarm()
            killed = not computer_players.process.alive
        if killed:
            self._counts.observe(step.what)

    async def _fault(self, step: ScenarioStep, random: Random) -> None:
        if step.how == "opening":
            self._harness.proxy.stop_faults()
            self._harness.proxy.answer_wrongly(MissingLogs(step.what, "block", step.count, random))
            before = self._counts.observed[step.what]
            await self._harness.driver.workload.mine_moves(random, 2, opening=True)
            await wait_until(lambda: self._counts.observed[step.what] > before, SEEN_SECONDS)
        elif step.what.startswith("short-logs"):
            self._harness.proxy.answer_wrongly(MissingLogs(step.what, step.how, step.count, random))
            # The delay makes several blocks wait, so that the tested process fetches them as a
            # range.
            self._harness.proxy.arm(Fault("delay", "short", 1, random))
            await self._harness.driver.blocks(random, 3)
        elif step.what == "stale-replica":
            await self._lag_replica(step, random)
        else:
            fault = Fault(step.what, step.how, step.count, random)
            self._harness.proxy.arm(fault)
            await self._harness.driver.blocks(random, random.randint(1, 2))
            await wait_until(lambda: fault.hits <= 0, HIT_SECONDS)

    async def _lag_replica(self, step: ScenarioStep, random: Random) -> None:
        """Add a lagging replica. Its answers must not make the tested process remove blocks."""
        await self._harness.driver.blocks(random, step.count)
        # If logs are missing, the process can rewind to fetch them, so this check would prove
        # nothing.
        reached = 0 if self._harness.proxy.is_answering_wrongly else await self._wait_until_indexed()
        height = await self._harness.chain.height() - step.count
        self._harness.proxy.answer_wrongly(
            StaleReplica(height, random.uniform(0.3, 1.0), random.choice((0.5, 0.8, 1.0)), random)
        )
        await self._harness.driver.blocks(random, 1)
        async for _ in polls(HIT_SECONDS, 0.03):
            health = await self._harness.get("/api/health")
            if health is not None and (health["indexedHead"] or 0) < reached:
                raise InvariantViolated(f"the index fell below block {reached} while the node lagged: {health}")

    async def _wait_until_indexed(self) -> int:
        """Wait until the tested process has indexed the newest block. Return the block's height, or
        0 if this takes too long."""
        head = await self._harness.chain.head()
        async for _ in polls(HIT_SECONDS, 0.03):
            with open_snapshot(self._harness.settings.database_url) as snapshot:
                tip = snapshot.tip()
            # Compare hashes, because a removed block can have the same height after a rollback.
            if tip is not None and tip.hash == head["hash"]:
                return tip.height
        return 0

    # ---- the checks at the end

    async def _check_consistency(self) -> None:
        """Stop all faults. After that, everything must become consistent by itself within the time
        limit."""
        self._harness.proxy.stop_faults()
        await self._harness.driver.leave_old_blocks(Random(self.scenario.seed))
        self._harness.clients.reconnect_all()
        end = time.monotonic() + self._patience
        while wrong := await violations(self._harness):
            self._harness.require_alive()
            if time.monotonic() > end:
                raise InvariantViolated("; ".join(wrong))
            if await self._harness.computer_players.pending_transactions(self._harness.chain):
                await self._harness.chain.mine()  # Anvil doesn't mine the pool by itself
            await asyncio.sleep(RETRY_SECONDS)
