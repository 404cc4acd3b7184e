"""Tests that a seed always produces the same scenario. Together, the seeds of the test runs must
include every kind of fault often enough."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from chaos.faults.counts import CHAIN, FAULTS, KILLS, MIN_COUNT, FaultCounts
from chaos.scenario import draw_scenario

SEEDS = range(40)


def test_the_same_seed_gives_the_same_script_in_any_process() -> None:
    seeds = (0, 7, 39, 123_456)
    program = f"from chaos.scenario import draw_scenario\nfor seed in {seeds}: print(repr(draw_scenario(seed)))"
    again = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert again.stdout.splitlines() == [repr(draw_scenario(seed)) for seed in seeds]


def test_two_seeds_give_two_scripts() -> None:
    assert len({repr(draw_scenario(seed)) for seed in SEEDS}) == len(SEEDS)


def test_with_opponents_all_happens_that_happens_without_and_more() -> None:
    for seed in SEEDS:
        steps = iter(draw_scenario(seed, opponents=True).steps)
        assert all(step in steps for step in draw_scenario(seed).steps)
        assert len(draw_scenario(seed, opponents=True).steps) > len(draw_scenario(seed).steps)


def test_the_fixed_seeds_plan_enough_of_each_kind() -> None:
    planned: Counter[str] = Counter()
    for seed in SEEDS:
        for step in draw_scenario(seed).steps:
            planned[f"kill-{step.how}" if step.what == "kill" else step.what] += 1
    kinds = {*FAULTS, *KILLS, *CHAIN} - {"deep-reorg", "reorg-same-block", "reorg-other-block", "reorg-nowhere"}
    assert {kind: planned[kind] for kind in kinds if planned[kind] < MIN_COUNT} == {}


def test_rare_kinds_are_reported() -> None:
    counts = FaultCounts()
    for kind in (*FAULTS, *CHAIN, *KILLS):
        counts.inject(kind, MIN_COUNT)
        counts.observe(kind, MIN_COUNT - (kind == "drop"))
    assert counts.rare() == ["drop"]
    counts.observe("drop")
    assert counts.rare() == []


def test_counts_add_up_over_processes() -> None:
    one, other = FaultCounts(), FaultCounts()
    one.inject("drop", 2)
    one.observe("drop")
    other.add(one.counts())
    other.add(one.counts())
    assert other.counts() == {"drop": [4, 2]}
    assert any(line.split() == ["drop", "4", "2"] for line in other.table())
