"""The recorded games of Battleship."""

from __future__ import annotations

from typing import Any

from tests.contracts.battle import FLEETS, STAKE, WRAPPING, Battle
from tests.contracts.deployed import Contract
from tests.contracts.tokens import endow, plain

NONCES = (bytes(range(32)), bytes(range(32, 64)))
"""The first fleet with the first nonce is the sheet's vector."""


def begun(game: Contract, first: int, **options: Any) -> Battle:
    battle = Battle(game, nonces=NONCES, **options)
    battle.accept(first)
    return battle


def honest(game: Contract) -> int:
    """Staked: the guest wins on hits, both reveal, the winner takes both deposits."""
    battle = Battle(game, nonces=NONCES, stake=STAKE, named=True)
    battle.sink(0)
    battle.reveal(0, message="Congratulations ⚓")
    battle.reveal(1, message="Good game")
    battle.send(1, "withdraw")
    return battle.match


def lie(game: Contract) -> int:
    """The host calls a hit a miss, the guest gives up, and the reveal shows it."""
    battle = begun(game, 12)
    battle.move(0, hit=False)
    battle.move(16)
    battle.move(40)
    battle.surrender(1, message="You are too good")
    battle.reveal(0)
    return battle.match


def contradiction(game: Contract) -> int:
    """Nothing but water: the 83rd miss can't be true."""
    battle = begun(game, 0)
    for shot in range(82):
        battle.move(shot, hit=False)
        battle.move(shot + 1, hit=False)
    battle.move(98, hit=False)
    return battle.match


def surrender(game: Contract) -> int:
    """In tokens: the guest gives up, the host says nothing, each takes its own back."""
    token = plain(game.anvil)
    endow(token, game, STAKE, *game.anvil.accounts[:2])
    battle = begun(game, 81, stake=STAKE, token=token.address, clock=60)
    battle.fire([8], [82])
    battle.surrender(1)
    battle.timeout()
    for seat in range(2):
        battle.send(seat, "withdraw")
    return battle.match


def asleep(game: Contract) -> int:
    """The guest falls asleep, and had sealed no legal fleet."""
    battle = begun(game, 3, fleets=(FLEETS[0], WRAPPING))
    battle.move(12)
    battle.timeout()
    battle.reveal(1)
    battle.reveal(0)
    return battle.match


def declined(game: Contract) -> int:
    battle = Battle(game, nonces=NONCES, named=True, clock=0)
    battle.send(1, "decline")
    return battle.match


STORIES = {
    "honest": honest,
    "lie": lie,
    "contradiction": contradiction,
    "surrender": surrender,
    "asleep": asleep,
    "declined": declined,
}
