"""The actions of Conquest. A command first decides the open draw (a random result), so its gas
limit includes the gas for the draw and the draw's attacks."""

from __future__ import annotations

from indexer.gamekit.game import Action, Input
from indexer.gamekit.lifecycle import MAX_CLOCK

SETTLE = "settle"
SECONDS_PER_HOUR = 3_600
MIN_CLOCK = 60
GRAINS = ((50, "About 68 lands"), (76, "About 42 lands"), (148, "About 21 lands"))
"""The choices for the size of lands: the mean number of cells per land, and a label."""
SEATS = range(2, 7)
QUARTERS = ((1, "a quarter"), (2, "half"), (3, "three quarters"), (4, "all"))
GAS_PER_ATTACK = 60_000
"""The maximum gas for deciding one attack."""
GAS_PER_DRAW = 300_000
"""The maximum gas for deciding a random draw, without its attacks. It suffices even if a player
loses a capital and 48 other lands at once."""


def _command(name: str, label: str, gas: int, usual: int, *inputs: Input) -> Action:
    return Action(
        name, label, inputs, gas=gas + GAS_PER_DRAW, gas_each=GAS_PER_ATTACK, gas_of="attacks", usual_gas=usual
    )


ACTIONS = (
    Action(
        "create",
        "New match",
        (
            Input("players", "Players", "choice", default=2, options=tuple((seats, str(seats)) for seats in SEATS)),
            Input("grain", "Map", "choice", default=GRAINS[0][0], options=GRAINS),
            Input("clock", "Seconds per command", "clock", MIN_CLOCK, MAX_CLOCK, SECONDS_PER_HOUR),
        ),
        gas=2_500_000,
        usual_gas=620_000,
        usual_words=43,
    ),
    Action("join", "Join", gas=250_000, usual_gas=66_000),
    Action("leave", "Leave", gas=120_000, usual_gas=38_000),
    _command("chooseCapital", "Choose the capital", 150_000, 64_000),
    _command("reinforce", "Reinforce", 150_000, 74_000),
    _command("buildPort", "Build a port", 150_000, 72_000),
    _command("capture", "Capture", 250_000, 61_000),
    _command("attack", "Launch", 800_000, 85_000),
    _command(
        "move",
        "Move",
        150_000,
        74_000,
        Input("quarters", "Soldiers", "choice", default=2, options=QUARTERS),
        Input("hero", "With the hero", "bool"),
    ),
    _command("pass", "Pass", 150_000, 53_000),
    _command("useItem", "Use the item", 150_000, 47_000),
    _command("surrender", "Surrender", 200_000, 73_000),
    _command(SETTLE, "Settle the draw", 100_000, 61_000),
    _command("claimTimeout", "Claim the timeout", 200_000, 53_000),
)
