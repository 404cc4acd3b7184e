"""Compares the gas that each game declares for its calls with the gas that a node charges. Also
tests that the cost table in the README is up to date."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from bench.contracts.costs import (
    CALLS,
    MATCH_GAS,
    MATCHES,
    costs_table,
    measured,
    measured_rare,
    usual_gas,
    usual_words,
)
from indexer.games import GAMES

README = Path(__file__).parents[2] / "README.md"

whole_match = cache(measured)
rare_calls = cache(measured_rare)


@pytest.mark.parametrize("slug", MATCHES)
def test_a_match_takes_the_gas_that_its_game_says(slug: str) -> None:
    """Tests that a call's mean gas differs from the declared gas by at most 10 %. The gas of a
    whole match may differ by 40 %, because each change to the code can produce a different random
    match."""
    match = whole_match(slug)
    check_means(slug, match.mean)
    assert set(CALLS[slug]) <= {signature.partition("(")[0] for signature in match.mean}
    assert match.total == pytest.approx(MATCH_GAS[slug], rel=0.4)


def check_means(slug: str, mean: Mapping[str, int]) -> None:
    says = usual_gas(slug)
    assert {name: says.get(name) for name in mean} == {name: pytest.approx(gas, rel=0.1) for name, gas in mean.items()}


@pytest.mark.parametrize("slug", MATCHES)
def test_a_rare_call_takes_the_gas_that_its_game_says(slug: str) -> None:
    """Tests that the gas of a rare call differs from the declared gas by at most 10 %. Also tests
    that the whole match and the rare calls together contain all of the game's actions."""
    often = whole_match(slug).mean
    rare = {name: gas for name, gas in rare_calls(slug).mean.items() if name not in often}
    check_means(slug, rare)
    assert usual_gas(slug).keys() == often.keys() | rare.keys()


@pytest.mark.parametrize("slug", MATCHES)
def test_long_arguments_have_the_words_that_the_game_says(slug: str) -> None:
    """Tests the declared number of 32-byte words in a call, which determines the data fee on a
    rollup. If a game declares no number for a call, the call may have at most 12 words."""
    says = usual_words(slug)
    for name, words in (rare_calls(slug).words | whole_match(slug).words).items():
        assert says[name] == pytest.approx(words, rel=0.1) if says[name] else words <= 12, name


def test_every_action_of_every_game_has_a_usual_gas() -> None:
    """Tests that each game declares the usual gas of each of its actions, because the page computes
    the action's cost from this gas."""
    missing = [f"{slug}: {name}" for slug in GAMES for name, gas in usual_gas(slug).items() if not gas]
    assert missing == [], (
        "python -m bench costs measures it; a call that no match has needs bench/contracts/rare_calls.py"
    )


def test_the_readme_has_the_table() -> None:
    assert costs_table() in README.read_text("utf-8"), "python -m bench costs prints it"
