"""The gas limits of Conquest's calls, and random matches in which tests check that calls stay
within these limits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from indexer.rules.conquest_state.state import BATTLE, NO_DRAW
from tests.contracts.support.contract import Contract, ContractReceipt
from tests.contracts.support.matches.conquest import PLAYING, ConquestTable, random_accounts
from tests.support.conquest.maps import VECTORS, random_graph
from tests.support.conquest.play import random_command

CREATE = {68: 750_000, 96: 1_200_000}
"""The gas limits for opening a match. The key is the number of lands on the map."""
JOIN, CAPITAL, REINFORCE, CAPTURE, MOVED, SURRENDER = 80_000, 95_000, 80_000, 95_000, 95_000, 80_000
DRAW = 120_000
"""The additional gas for settling a draw that isn't a battle."""
SETTLE = 40_000
"""The gas of the call `settle`, without the draw that it settles."""
LAUNCH = {1: 160_000, 3: 240_000, 16: 630_000}
BATTLE_GAS = {1: 160_000, 3: 255_000, 16: 730_000}
"""The gas limits of a battle. The key is the number of attacks."""
FALL = 265_000
"""The gas limit of a battle in which a capital falls with its hero and 48 lands."""
BOARD = 150_000
KINDS = ("chooseCapital", "reinforce", "buildPort", "pass", "surrender", "attack", "move", "useItem")
COMMANDS = {"chooseCapital": CAPITAL, "reinforce": REINFORCE, "surrender": SURRENDER, "move": MOVED, "capture": CAPTURE}
"""The gas limits in the game's rules. Each key is a command. A command that isn't listed here costs
less than any of these."""


def between(figures: dict[int, int], count: int) -> int:
    """Return the gas limit for `count` attacks, by linear interpolation between the limits in the
    game's rules."""
    lower = max(known for known in figures if known <= count)
    upper = min(known for known in figures if known >= count)
    share = (count - lower) / (upper - lower) if upper > lower else 0.0
    return round(figures[lower] + share * (figures[upper] - figures[lower]))


def described(receipt: ContractReceipt) -> tuple[str, int]:
    """Describe a call in a running match. Return the description, and the gas limit of the call."""
    drawn, battles = receipt.named("Drawn"), receipt.named("BattleResolved")
    names, allowed = list[str](), 0
    for command in receipt.named("Commanded"):
        kind, pairs = KINDS[command["kind"]], (len(command["data"]) - 2) // 4
        launched = receipt.named("Phase") and receipt.named("Phase")[-1]["draw"] == BATTLE
        name = kind if kind != "attack" else f"launch of {pairs}" if launched else "capture"
        names.append(name)
        allowed += between(LAUNCH, pairs) if name.startswith("launch") else COMMANDS.get(name, min(COMMANDS.values()))
    if any(one["item"] == 8 for one in receipt.named("ItemCollected")) and not drawn:
        names.append("fat item")
        allowed += DRAW
    if drawn and drawn[0]["kind"] != BATTLE:
        allowed += DRAW if names else SETTLE + DRAW
        names.append("draw")
    elif battles:
        names.append(f"battle of {len(battles)}")
        allowed += max(between(BATTLE_GAS, len(battles)), FALL if receipt.named("PlayerOut") else 0)
    return " + ".join(names), allowed


def random_receipts(game: Contract, seed: int, calls: int) -> Iterator[ContractReceipt]:
    """Play a random match with at most `calls` calls. Yield the receipts of the calls.

    The match has 2 to 6 players. Its map is random or from the test vectors."""
    random = Random(seed)
    players = random.randint(2, 6)
    maps = [bytes.fromhex(one["graph"][2:]) for one in VECTORS["maps"] if one["lands"] >= 4 * players]
    graph = random.choice([*maps, random_graph(random, 68), random_graph(random, 96)])
    table = ConquestTable(game, players, graph, accounts=random_accounts(game.node, random, players))
    for _ in range(calls):
        table.wait(lambda _chance: True, random.randrange(1 << 16))
        if table.state.draw != NO_DRAW and (random.random() < 0.5 or table.settled().is_over):
            table.call(table.stranger, "settle")
        else:
            action, arguments = random_command(table.settled(), random)
            table.send_command(action, **arguments)
        yield table.receipt
        if table.engine.status != PLAYING:
            return
