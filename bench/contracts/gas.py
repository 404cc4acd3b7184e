"""Measures the gas of all calls in all games, and compares it with the limits in the games' rules.

Each game has a module in `bench/contracts/games`. The module's `rows(sessions, game)` yields rows
with the name of a call, its gas, and its limit (0 if there is none). The module's `ACCOUNTS` is the
number of accounts that it needs.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from contracts.artifacts import load
from indexer.games import GAMES
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import deploy_game


def main() -> None:
    for game in GAMES.values():
        name = f"bench.contracts.games.{game.module}"
        if find_spec(name) is None:
            print(f"{game.module}: not measured, because bench/contracts/games/{game.module}.py is missing\n")
            continue
        module = import_module(name)
        print(f"{game.slug:57} {'measured':>11} {'limit':>11} {'ratio':>6}")
        anvil = AnvilNode(module.ACCOUNTS)
        try:
            for what, measured, limit in module.rows(*deploy_game(anvil, load(game.contract))):
                compared = f"{limit:>11,} {measured / limit:>6.2f}" if limit else ""
                print(f"    {what:53} {measured:>11,} {compared}".rstrip(), flush=True)
        finally:
            anvil.close()
        print()
