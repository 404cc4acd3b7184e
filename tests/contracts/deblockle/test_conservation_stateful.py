"""Tests that the contract holds every deposit or has paid it out, with several Deblockle matches at
once.

The matches are played in ether, in a good token and in hostile tokens.

- Given players who open, join and cancel matches, pass, resign, withdraw, and let clocks run out,
  in any order and at any pace, while tokens change their behaviour
  - When a player makes any call, whether the contract rejects it or not
    - In each currency, the contract should hold what was deposited and not paid out
    - The contract should hold at least what the matches owe at that time
    - The contract should hold exactly what it owes for the matches that are over
  - When all matches have ended and every token behaves well
    - All players should receive what the matches owe them, and the contract should hold nothing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.contracts.models.deblockle import OPEN, PLAYING, DeblockleMatch, Events
from tests.contracts.support.contract import Contract, ContractReceipt
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.matches.deblockle import NOBODY
from tests.contracts.support.node import Node
from tests.contracts.support.tokens import TOKEN_BEHAVIOURS, EscrowMachine, TokenBehaviour, currencies

CONTRACT = "Deblockle"
CLOCK = 600
OFTEN = {
    "create", "join", "cancel", "passMove", "resign", "claimTimeout", "withdraw", "TokenFailed", "BadDeposit",
    "BadPayment", "EtherRefused", "NothingDue",
}  # fmt: skip

picks = st.integers(0, 20)
terms = st.sampled_from([(60, 1), (1000, 2), (1000, 3), (10**18 + 7, 10**15), (2**96 - 1, (2**96 - 1) // 60)])


class DeblockleEscrowMachine(EscrowMachine):
    """A test of several matches. Each match has its own model, which plays every call that the
    chain has executed."""

    @initialize()
    def begin(self) -> None:
        self.begin_at_head()
        self.matches: list[tuple[DeblockleMatch, int]] = []
        for token in (0, 2):
            self.create(0, token, (1000, 2))
            self.join(len(self.matches) - 1, 1)

    # ---- the players

    @rule(player=st.integers(0, 3), token=st.integers(0, 3), terms=terms)
    def create(self, player: int, token: int, terms: tuple[int, int]) -> None:
        who, address = self.node.accounts[player], self._address(token)
        number = self.game.call("matchRange")[1]
        match = DeblockleMatch(number, [NOBODY, NOBODY], 4, 0, address, *terms, CLOCK)
        value = match.stake if token == 0 else 0
        call = ("create", NOBODY, 4, 0, address, *terms, CLOCK, 0)
        if self._step(who, token, value, call, lambda: match.create(who, value)):
            self.matches.append((match, token))
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks, player=st.integers(0, 3))
    def join(self, pick: int, player: int) -> None:
        match, token = self.picked(pick, OPEN)
        others = [account for account in self.node.accounts[:4] if account != match.seats[0]]
        who, value = others[player % 3], match.stake if token == 0 else 0
        call = ("join", match.number, *match.terms)
        self._step(who, token, value, call, lambda: match.join(who, match.terms, value, self.time))
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        match, token = self.picked(pick, OPEN)
        host = match.seats[0]
        assert self._step(host, token, 0, ("cancel", match.number), lambda: match.cancel(host))
        self._holds()

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, seconds=st.sampled_from([0, 10, 100, 400]), times=st.sampled_from([1, 2, 6]))
    def let_go_by(self, pick: int, seconds: int, times: int) -> None:
        match, token = self.picked(pick, PLAYING)
        for _ in range(times):
            if match.status == PLAYING:
                self.time += seconds
                who, ply = match.seats[match.cubes.mover], match.ply
                call = ("passMove", match.number, ply)
                assert self._step(who, token, 0, call, lambda who=who, ply=ply: match.skip(who, ply, self.time))
        self._holds()

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, seat=st.integers(0, 1), seconds=st.sampled_from([0, 10, 100]))
    def resign(self, pick: int, seat: int, seconds: int) -> None:
        match, token = self.picked(pick, PLAYING)
        self.time += seconds
        who = match.seats[seat]
        assert self._step(who, token, 0, ("resign", match.number), lambda: match.resign(who, self.time))
        self._holds()

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, player=st.integers(0, 3))
    def wait(self, pick: int, player: int) -> None:
        match, token = self.picked(pick, PLAYING)
        self.time = max(self.time, match.deadline)
        who = self.node.accounts[player]
        assert self._step(who, token, 0, ("claimTimeout", match.number), lambda: match.claim_timeout(self.time))
        self._holds()

    @rule(pick=picks, seat=st.integers(0, 1), seconds=st.sampled_from([0, 10, 100]))
    def withdraw(self, pick: int, seat: int, seconds: int) -> None:
        if self.matches:
            self.time += seconds
            self._withdraw(*self.matches[pick % len(self.matches)], seat)
            self._holds()

    # ---- tokens and wallets

    @rule(token=st.integers(2, 3), behaviour=st.sampled_from(TOKEN_BEHAVIOURS), pick=picks)
    def change_behaviour(self, token: int, behaviour: TokenBehaviour, pick: int) -> None:
        """Change a token's behaviour. Then try a deposit in this token, and a withdrawal from each
        match in this token."""
        number = self.matches[pick % len(self.matches)][0].number if self.matches else 1
        self._behave(token, behaviour, self.game.data("withdraw", number))
        self.create(pick % 4, token, (1000, 2))
        for match, own in self.matches:
            if own == token and match.status != OPEN:
                self._withdraw(match, token, pick % 2)
        self._holds()

    @rule(player=st.integers(0, 3), rejecting=st.booleans())
    def wallet(self, player: int, rejecting: bool) -> None:
        """Make a player's wallet reject ether (`rejecting`) or accept it again."""
        self._set_rejecting(player, rejecting)
        for match, token in self.matches:
            if token == 0 and match.status != OPEN and self.node.accounts[player] in match.seats:
                self._withdraw(match, token, match.seats.index(self.node.accounts[player]))
        self._holds()

    def _finish(self) -> None:
        while self.some(OPEN):
            self.cancel(0)
        while self.some(PLAYING):
            self.resign(0, 0, 100)
        for match, token in self.matches:
            for seat in (0, 1):
                self._withdraw(match, token, seat)
        self._holds()

    # ---- single calls

    def some(self, status: int) -> bool:
        return any(match.status == status for match, _ in self.matches)

    def picked(self, pick: int, status: int) -> tuple[DeblockleMatch, int]:
        fitting = [each for each in self.matches if each[0].status == status]
        return fitting[pick % len(fitting)]

    def _withdraw(self, match: DeblockleMatch, token: int, seat: int) -> None:
        who = match.seats[seat]
        if who != NOBODY:
            self._step(who, token, 0, ("withdraw", match.number), lambda: match.withdraw(who, self.time))

    def _step(
        self, who: str, token: int, value: int, call: tuple[Any, ...], play: Callable[[], Events]
    ) -> ContractReceipt | None:
        """Make the call in the next block, one second after `time`. Return None if the call is
        rejected."""
        self.time += 1
        self.node.rpc("evm_setNextBlockTimestamp", self.time)
        receipt = self._send(self.node.accounts.index(who), token, value, *call)
        if receipt:
            assert [(event.name, event.args) for event in receipt.events] == play()
        return receipt

    def _holds(self) -> None:
        for token in range(4):
            held, owed, left = self._held(token), 0, 0
            for match, own in self.matches:
                if own != token:
                    continue
                deposits = match.stake * (2 if match.seats[1] != NOBODY else 1)
                paid = sum(match.streams.withdrawn)
                due = sum(match.earned(seat, self.time) for seat in (0, 1)) - paid
                left += deposits - paid
                owed += due
                assert 0 <= due <= deposits - paid
                assert due == deposits - paid or match.status in (OPEN, PLAYING)
            assert owed <= left == held


@QUARTER
def test_what_comes_in_goes_out_or_is_held(node: Node, game: Contract, share: float) -> None:
    tokens = currencies(node, game, node.accounts[:4])
    explore(DeblockleEscrowMachine, OFTEN, 60, 40, share, node=node, game=game, tokens=tokens)
