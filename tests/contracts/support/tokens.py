"""Tokens for tests: a plain one of OpenZeppelin's, and one that behaves as badly as it is told to."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from contracts.artifacts import Artifact
from contracts.compile import compile_file
from tests.contracts.support.anvil import ROOT, Anvil
from tests.contracts.support.contract import Contract, deploy

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


@cache
def _compiled(name: str) -> Artifact:
    """Compiled on demand: fixtures don't travel in the package."""
    return compile_file(ROOT / f"tests/fixtures/contracts/tokens/{name}.sol")[name]


def plain(anvil: Anvil) -> Contract:
    return deploy(anvil, _compiled("PlainToken"))


def hostile(anvil: Anvil) -> Contract:
    return deploy(anvil, _compiled("HostileToken"))


def behave(token: Contract, manner: Manner, target: str = NOBODY, calling: str = "0x") -> None:
    """From now on."""
    token.send(token.anvil.accounts[9], "behave", manner, target, bytes.fromhex(calling[2:]))


def endow(token: Contract, game: Contract, amount: int, *accounts: str) -> None:
    """Gives each so much of the token, and lets the game take it."""
    for account in accounts:
        token.send(account, "mint", account, amount)
        token.send(account, "approve", game.address, 2**256 - 1)
