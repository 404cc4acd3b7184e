"""Generates scenarios. The same seed always gives the same scenario."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chaos.chain.chain_driver import REINCLUSIONS
from chaos.faults import fault
from chaos.faults.byzantine import OMITTED_LOGS
from chaos.faults.counts import FAULTS
from chaos.process.kill_points import OPPONENTS_NAMES

PHASES = ("fetch", "decode", "commit", "notify")
MAX_REORG_DEPTH = 60
KINDS_EACH = 9
PLAYED, LOST_LONG = 4, 20
OPENING_EVERY = 4
"""If a scenario's seed is divisible by this number, the scenario ends with a block that opens
matches, but the block's logs are missing. No later event shows that these matches exist."""


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """One step of a scenario.

    `what` is the step's kind, and `how` is a variant. `count` is a number of repetitions, a depth
    or a time, depending on the kind. `seed` is the seed for the step's own random choices."""

    what: str
    how: str = ""
    count: int = 0
    seed: int = 0

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.what, self.how, self.count or "") if part != "")


@dataclass(frozen=True, slots=True)
class Scenario:
    """The number of clients and the steps of a scenario."""

    seed: int
    clients: int
    steps: tuple[ScenarioStep, ...]
    opponents: bool = False

    def __str__(self) -> str:
        lines = [f"seed {self.seed}: {self.clients} clients{' and opponents' if self.opponents else ''}"]
        return "\n".join(lines + [f"  {number:>2}. {step}" for number, step in enumerate(self.steps, 1)])


def draw_scenario(seed: int, opponents: bool = False) -> Scenario:
    """Generate the scenario for a seed.

    A scenario with computer players (`opponents`) has all steps that the same seed's scenario
    without computer players has, and additional steps."""
    random = Random(seed)
    events = _faults(random, seed) + _chain(random, seed) + _kills(random, seed) + _clients(random)
    random.shuffle(events)
    steps: list[ScenarioStep] = []
    for event in events:
        if random.random() < 0.5:
            steps.append(_step(random, "blocks", count=random.randint(1, 3)))
        steps.append(event)
    if seed % OPENING_EVERY == 0:
        steps.append(_step(random, "short-logs-always", "opening", 1))
    clients = random.randint(2, 4)
    if opponents:
        for step in _with_opponents(random, seed):
            steps.insert(random.randint(0, len(steps)), step)
    return Scenario(seed, clients, tuple(steps), opponents)


def _step(random: Random, what: str, how: str = "", count: int = 0) -> ScenarioStep:
    return ScenarioStep(what, how, count, random.getrandbits(32))


def _faults(random: Random, seed: int) -> list[ScenarioStep]:
    """Choose nine of the thirteen kinds of faults. From each seed to the next, the choice shifts by
    one kind."""
    kinds = [kind for number, kind in enumerate(FAULTS) if (number + seed) % len(FAULTS) < KINDS_EACH]
    return [_fault(random, kind) for kind in kinds]


def _fault(random: Random, kind: str) -> ScenarioStep:
    if kind.startswith("short-logs"):
        return _step(random, kind, random.choice(OMITTED_LOGS), random.randint(1, 3))
    if kind == "stale-replica":
        return _step(random, kind, count=random.randint(1, 6))
    groups = [variants for variants in (fault.HTTP.get(kind), fault.SOCKET.get(kind)) if variants]
    variants = random.choices(groups, (3, 1)[: len(groups)])[0]
    return _step(random, kind, random.choice(variants), random.randint(1, 2))


def _chain(random: Random, seed: int) -> list[ScenarioStep]:
    depths = [random.randint(1, 4), random.randint(1, 10), random.randint(11, MAX_REORG_DEPTH)]
    random.shuffle(depths)
    found = [
        _step(random, "reorg", reinclusion, depth) for reinclusion, depth in zip(REINCLUSIONS, depths, strict=True)
    ]
    if seed % 5 != 4:
        found.append(_step(random, "reorg-twice", random.choice(REINCLUSIONS), random.randint(1, 12)))
    if seed % 5 != 0:
        found.append(_step(random, "reorg-queued", random.choice(REINCLUSIONS), random.randint(1, 8)))
    if seed % 5 in (0, 2, 4):
        found.append(_step(random, "rollback", count=random.randint(1, 20)))
    if seed % 5 in (1, 2, 3):
        found.append(_step(random, "genesis", count=random.randint(0, 3)))
    return found


def _kills(random: Random, seed: int) -> list[ScenarioStep]:
    """Choose when to kill the tested process. Every scenario kills it in three of the four phases.
    Three of five scenarios also kill it once at a random moment."""
    found = [
        _step(random, "kill", phase, random.randint(1, 2)) for number, phase in enumerate(PHASES) if number != seed % 4
    ]
    if seed % 5 < 3:
        found.append(_step(random, "kill", "any", random.randint(0, 60)))
    return found


def _clients(random: Random) -> list[ScenarioStep]:
    return [_step(random, how) for how in ("client-leaves", "client-leaves", "client-comes", "client-comes")]


def _with_opponents(random: Random, seed: int) -> list[ScenarioStep]:
    """Return the additional steps of a scenario with computer players.

    Between the other steps, computer players play. Their process is killed once at a random moment,
    and once in one of its phases. The node is unreachable for some seconds, or for a minute in one
    of twenty scenarios."""
    phase = OPPONENTS_NAMES[seed % len(OPPONENTS_NAMES)]
    return [
        *(_step(random, "opponents-play", count=random.randint(3, 6)) for _ in range(PLAYED)),
        _step(random, "kill-opponents", "any", random.randint(0, 400)),
        _step(random, "kill-opponents", phase, random.randint(1, 3)),
        _step(random, "node-lost", count=600 if seed % LOST_LONG == LOST_LONG - 1 else random.randint(5, 30)),
    ]
