"""Tokens for tests: a plain one of OpenZeppelin's, and one that behaves as badly as it is told to."""

from __future__ import annotations

from enum import IntEnum

from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, deploy
from tests.support.compiled import SOURCES, compiled

NOBODY = "0x" + 40 * "0"


class Manner(IntEnum):
    """As in HostileToken.sol, where it says what each does."""

    GOOD = 0
    FEE_ON_TRANSFER = 1
    FEE_ON_TOP = 2
    SAYS_FALSE = 3
    MOVES_NOTHING = 4
    RETURNS_NOTHING = 5
    RETURNS_TWO = 6
    RETURNS_LONG = 7
    RETURNS_SHORT = 8
    RETURNS_HUGE = 9
    REVERTS_TO = 10
    REVERTS_HUGE = 11
    BURNS_GAS = 12
    REENTERS = 13
    LIES_ABOUT_BALANCES = 14
    HIDES_BALANCES = 15
    HUGE_BALANCES = 16
    REBASES = 17


def plain(anvil: AnvilNode) -> Contract:
    return deploy(anvil, compiled(SOURCES / "tokens/PlainToken.sol"))


def hostile(anvil: AnvilNode) -> Contract:
    return deploy(anvil, compiled(SOURCES / "tokens/HostileToken.sol"))


def behave(token: Contract, manner: Manner, target: str = NOBODY, calling: str = "0x") -> None:
    """From now on."""
    token.send(token.anvil.accounts[9], "behave", manner, target, bytes.fromhex(calling[2:]))


def endow(token: Contract, game: Contract, amount: int, *accounts: str) -> None:
    """Gives each so much of the token, and lets the game take it."""
    for account in accounts:
        token.send(account, "mint", account, amount)
        token.send(account, "approve", game.address, 2**256 - 1)
