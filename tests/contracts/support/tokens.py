"""Tokens for tests, and the base class of stateful tests for games that hold tokens. The tokens are
OpenZeppelin's plain token and a token that misbehaves in whichever way a test chooses."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.contracts.support.contract import Contract, ContractReceipt, Reverted, deploy
from tests.contracts.support.match_machine import MatchMachine
from tests.contracts.support.node import Node
from tests.support.compiled import TOKENS, compiled

NOBODY = "0x" + 40 * "0"
RICH = 2**110


class TokenBehaviour(IntEnum):
    """The ways in which a hostile token can behave. HostileToken.sol documents them."""

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


TOKEN_BEHAVIOURS = [behaviour for behaviour in TokenBehaviour if behaviour != TokenBehaviour.REVERTS_TO]
HARMLESS = (TokenBehaviour.GOOD, TokenBehaviour.RETURNS_NOTHING, TokenBehaviour.REENTERS)


def plain(node: Node) -> Contract:
    return deploy(node, compiled(TOKENS / "PlainToken.sol"))


def hostile(node: Node) -> Contract:
    return deploy(node, compiled(TOKENS / "HostileToken.sol"))


def behave(token: Contract, behaviour: TokenBehaviour, target: str = NOBODY, calling: str = "0x") -> None:
    token.send(token.node.accounts[9], "behave", behaviour, target, bytes.fromhex(calling[2:]))


def fund_with_tokens(token: Contract, game: Contract, amount: int, *accounts: str) -> None:
    """Mint `amount` of the token for each account. Approve the game to transfer the tokens."""
    for account in accounts:
        token.send(account, "mint", account, amount)
        token.send(account, "approve", game.address, 2**256 - 1)


def currencies(node: Node, game: Contract, people: list[str]) -> list[Contract | None]:
    """Return four currencies: ether (as None), a good token and two hostile tokens.

    The accounts in `people` get a large amount of each currency, and approve the game to transfer
    the tokens."""
    tokens = [plain(node), hostile(node), hostile(node)]
    for account in people:
        node.rpc("anvil_setBalance", account, hex(RICH))
    for token in tokens:
        fund_with_tokens(token, game, RICH, *people)
    return [None, *tokens]


class EscrowMachine(MatchMachine):
    """A test of several simultaneous matches in several currencies.

    `rejecting` has the numbers of the players whose wallets reject ether."""

    tokens: ClassVar[list[Contract | None]]
    """The result of `currencies`. The tokens from the third item on are hostile."""

    def begin_at_head(self) -> None:
        super().begin_at_head()
        self.behaviours = [TokenBehaviour.GOOD] * len(self.tokens)
        self.rejecting: set[int] = set()

    def teardown(self) -> None:
        """Check that the game can pay out everything if all tokens and wallets behave well."""
        if hasattr(self, "snapshot"):
            for token in range(2, len(self.tokens)):
                self.restore_behaviour(token)
            for player in [*self.rejecting]:
                self._set_rejecting(player, False)
            self._finish()
            assert not any(self._balances)
        super().teardown()

    def _finish(self) -> None:
        """End each match and withdraw all payments."""
        raise NotImplementedError

    @rule(token=st.integers(2, 3))
    def restore_behaviour(self, token: int) -> None:
        self._behave(token, TokenBehaviour.GOOD)

    def _behave(self, token: int, behaviour: TokenBehaviour, calling: str = "0x") -> None:
        behave(self._token(token), behaviour, self.game.address, calling)
        self.time += 1
        self.behaviours[token] = behaviour

    def _set_rejecting(self, player: int, rejecting: bool) -> None:
        self.node.rpc("anvil_setCode", self.node.accounts[player], "0x5f5ffd" if rejecting else "0x")
        (self.rejecting.add if rejecting else self.rejecting.discard)(player)

    def _send(self, player: int, token: int, deposit: int, *call: Any) -> ContractReceipt | None:
        """Send a call and return the receipt, or None if the call is rejected.

        A rejection must have a valid cause and leave all balances unchanged."""
        before = self._balances
        try:
            receipt = self.game.send(self.node.accounts[player], *call, value=0 if token else deposit, gas=2_000_000)
        except Reverted as error:
            why = error.name
        else:
            self.seen[call[0]] += 1
            return receipt
        self.seen[why] += 1
        assert self._may_refuse(why, player, token), (why, call)
        assert self._balances == before
        return None

    def _may_refuse(self, name: str, player: int, token: int) -> bool:
        if name in ("TokenFailed", "BadDeposit", "BadPayment"):
            return self.behaviours[token] not in HARMLESS
        return name == "NothingDue" or (name == "EtherRefused" and token == 0 and player in self.rejecting)

    @property
    def _balances(self) -> list[int]:
        return [self._held(token) for token in range(len(self.tokens))]

    def _held(self, token: int) -> int:
        """Return the game's balance in a currency.

        For a hostile token, return the balance in the token's internal ledger, because the token
        can report a false balance."""
        if token == 0:
            return int(self.node.rpc("eth_getBalance", self.game.address, "latest"), 16)
        amount = self._token(token).call("ledger" if token > 1 else "balanceOf", self.game.address)
        assert isinstance(amount, int)
        return amount

    def _token(self, token: int) -> Contract:
        found = self.tokens[token]
        assert found is not None
        return found

    def _address(self, token: int) -> str:
        return self._token(token).address if token else NOBODY
