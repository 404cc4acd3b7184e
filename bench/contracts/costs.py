"""Measures the usual gas of contract calls on a real node. Plays whole matches of each game, and
scenes with calls that are rare in matches."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.contracts.rare_calls import SCENES
from contracts.artifacts import load
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.conquest.gas import random_receipts
from tests.contracts.support.contract import Contract, ContractReceipt, deploy_game
from tests.contracts.support.matches.battleship import NOBODY, Battle
from tests.contracts.support.matches.deblockle import DeblockleTable
from tests.contracts.support.matches.tic_tac_toe import DRAWN, Grid
from tests.contracts.support.matches.touche_coule import FINISHED, ToucheCouleTable

ACCOUNTS = 10
SEED, COMMANDS = 104, 300
"""The seed and the maximum number of commands for a random match of Conquest."""
SHIPS = 4
"""The number of ships in the match of Touché Coulé, whose board has the usual size."""


@dataclass
class GasRecorder:
    """Records the calls to a contract in order: each call's signature, gas and number of argument
    words. `matches` is the number of matches that contain these calls."""

    matches: int = 1
    calls: list[tuple[str, int, int]] = field(default_factory=list)

    def watch(self, contract: Contract) -> None:
        send = contract.send

        def recorded(sender: str, function: str, *args: Any, **options: Any) -> ContractReceipt:
            receipt = send(sender, function, *args, **options)
            words = len(contract.data(function, *args)) // 64
            self.calls.append((contract.signature(function), receipt.gas, words))
            return receipt

        contract.send = recorded  # type: ignore[method-assign]

    @property
    def mean(self) -> dict[str, int]:
        """The mean gas of a call to each function."""
        return _means((function, gas) for function, gas, _words in self.calls)

    @property
    def words(self) -> dict[str, int]:
        """The mean number of argument words in a call to each function."""
        return _means((function, words) for function, _gas, words in self.calls)

    @property
    def total(self) -> int:
        """The mean gas of a whole match, paid by all players together."""
        return sum(gas for _function, gas, _words in self.calls) // self.matches


def _means(values: Iterable[tuple[str, int]]) -> dict[str, int]:
    found = defaultdict[str, list[int]](list)
    for function, value in values:
        found[function].append(value)
    return {function: sum(all) // len(all) for function, all in found.items()}


def measured(slug: str) -> GasRecorder:
    """Play a whole match of the game. Play several matches if the game's matches differ greatly in
    length."""
    return _recorded(slug, MATCHES[slug], REPEATS.get(slug, 1))


def measured_rare(slug: str) -> GasRecorder:
    """Play scenes with calls that don't occur in the whole matches. The recorders also record the
    calls that prepare the scenes."""
    return _recorded(slug, SCENES[slug])


def _recorded(slug: str, play: Callable[[Contract], None], times: int = 1) -> GasRecorder:
    game = GAMES[slug]
    anvil = AnvilNode(140)
    try:
        _sessions, contract = deploy_game(anvil, load(game.contract))
        recorder = GasRecorder(times)
        recorder.watch(contract)
        for _ in range(times):
            play(contract)
        return recorder
    finally:
        anvil.close()


def _tic_tac_toe(game: Contract) -> None:
    host, challenger = game.node.accounts[:2]
    Grid(game, host, challenger).play(*DRAWN)


def _battleship(game: Contract) -> None:
    battle = Battle(game)
    battle.accept(98)
    for tile in range(98):
        for shot in (tile, tile):
            if battle.view.mover != NOBODY:
                battle.move(shot)
    battle.reveal(0)
    battle.reveal(1)


def _deblockle(game: Contract) -> None:
    DeblockleTable(game).play()


def _touche_coule(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, *[1] * SHIPS)
    table.start()
    while (view := table.view).status != FINISHED:
        owner = next(ship.owner for ship in view.ships if ship.afloat)
        table.turn(table.accounts.index(owner))


def _conquest(game: Contract) -> None:
    for _receipt in random_receipts(game, SEED, COMMANDS):
        pass


MATCHES: Mapping[str, Callable[[Contract], None]] = {
    "tic-tac-toe": _tic_tac_toe,
    "battleship": _battleship,
    "deblockle": _deblockle,
    "touche-coule": _touche_coule,
    "conquest": _conquest,
}
REPEATS = {"touche-coule": 6}
"""The number of matches to play, for games in which one match isn't enough for a mean. In Touché
Coulé, chance alone can make one match five times as long as another match."""

CALLS: Mapping[str, tuple[str, str, str]] = {
    "tic-tac-toe": ("create", "accept", "move"),
    "deblockle": ("create", "join", "makeMove"),
    "battleship": ("invite", "accept", "move"),
    "conquest": ("create", "join", "reinforce"),
    "touche-coule": ("create", "register", "turn"),
}
"""For each game, the functions that open a match, join a match and make a usual move."""
MATCH_GAS = {
    "tic-tac-toe": 500_000,
    "deblockle": 620_000,
    "battleship": 8_000_000,
    "conquest": 8_300_000,
    "touche-coule": 8_000_000,
}
"""The gas of a whole match in each game, paid by all players together. Chance makes some matches
longer and therefore more expensive."""
FEES = (0.01, 1, 20)
"""Gas prices in gwei: on a rollup, on a quiet day on Ethereum, and on a busy day on Ethereum."""


def usual_gas(slug: str) -> dict[str, int]:
    """Return the usual gas that each action of the game declares, or 0 if it declares none. The
    key is the action's signature."""
    game = GAMES[slug]
    return {one.signature: one.usual_gas for one in with_signatures(game, load(game.contract).abi).actions}


def usual_words(slug: str) -> dict[str, int]:
    """Return the usual number of argument words that each action of the game declares. The key is
    the action's signature."""
    game = GAMES[slug]
    return {one.signature: one.usual_words for one in with_signatures(game, load(game.contract).abi).actions}


def _gas_of(slug: str, call: str) -> int:
    """Return the usual gas that the game's first action with this name declares."""
    return next(one.usual_gas for one in GAMES[slug].actions if one.name == call)


def costs_table() -> str:
    """Return the README's table of gas costs, in Markdown."""
    fees = [f"{fee:g} gwei" for fee in FEES]
    head = ["", "opening", "joining", "a move", "a match, all players", *(f"a move at {fee}" for fee in fees)]
    rows = [head, ["---", *["---:"] * (len(head) - 1)]]
    for slug, calls in CALLS.items():
        gas = [_gas_of(slug, call) for call in calls]
        costs = [f"{_two_digits(gas[-1] * fee / 10**9)} ETH" for fee in FEES]
        rows.append([GAMES[slug].title, *(f"{one:,}" for one in (*gas, MATCH_GAS[slug])), *costs])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _two_digits(value: float) -> str:
    return f"{value:.{1 - math.floor(math.log10(value))}f}"


def main() -> None:
    """Measure whole matches and rare calls in each game. Print the results and the README's table.

    The columns of the results are the measured gas, the declared gas and the number of argument
    words."""
    for slug in MATCHES:
        match, rare, says = measured(slug), measured_rare(slug), usual_gas(slug)
        words = rare.words | match.words
        print(f"{slug}: {match.total:,} gas and {len(match.calls) // match.matches} calls in a match")
        for function, gas in sorted((rare.mean | match.mean).items()):
            print(f"    {function:60} {gas:>10,} {says.get(function, 0):>10,} {words[function]:>4}")
    print(f"\n{costs_table()}")
