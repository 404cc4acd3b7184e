"""Tests that the page shows the cost of every action in every game, computed from the server's
prices."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from typing import Any

import pytest

from api.shapes.games import game as game_shape
from contracts.artifacts import load
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from tests.frontend.unit.test_modules import NODE, ROOT

GWEI = 10**9
PRICE, BASE, WORD = GWEI, 300 * GWEI, 20 * GWEI
"""The prices of a unit of gas, of a call's data without its arguments, and of each word of the
arguments."""
NO_PRESS = {"conquest", "touche-coule"}
"""The games in which a click on the board only selects a cell, and a button sends the action."""


@cache
def page_costs() -> Any:
    games = [game_shape(with_signatures(one, load(one.contract).abi), [], {}, abi=False) for one in GAMES.values()]
    asked = {"games": games, "price": str(PRICE), "dataFee": {"base": str(BASE), "word": str(WORD)}}
    command = [NODE, "tests/frontend/unit/views/costs.mjs"]
    run = subprocess.run(command, cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("slug", GAMES)
def test_every_action_is_told_in_the_coin_and_in_money(slug: str) -> None:
    game = with_signatures(GAMES[slug], load(GAMES[slug].contract).abi)
    costs = page_costs()[slug]["costs"]
    assert list(costs) == [one.signature for one in game.actions]
    for action in game.actions:
        cost = costs[action.signature]
        gas = action.usual_gas * PRICE
        fewest, most = (action.usual_words,) * 2 if action.usual_words else (1, 12)
        assert gas + BASE + fewest * WORD <= int(cost["wei"]) <= gas + BASE + most * WORD
        assert (int(cost["wei"]) - gas - BASE) % WORD == 0
        assert cost["text"].startswith("about 0.000")
        assert cost["text"].endswith(f"(€{int(cost['wei']) * 2500 / 10**18:.2f})")


@pytest.mark.parametrize("slug", GAMES)
def test_the_action_of_a_press_is_one_of_the_game(slug: str) -> None:
    page = page_costs()[slug]
    names = {one.name for one in GAMES[slug].actions}
    assert page["pressAction"] in ({""} if slug in NO_PRESS else names)
    assert slug in NO_PRESS or page["press"] == "function"
