"""What comes in goes out or is held: several matches at once, in ether, in a good token and in hostile ones.

Given players who open, join, cancel, pass, give up, withdraw and let matches run out, in any order and at any pace,
while tokens change their manners
  After every call, refused or not
    The contract should hold of each currency what came in and did not go out
    And never less than what the matches owe by then; of those that are over exactly that
  At the end, when every token behaves
    Everybody who is owed should be paid, and the contract should hold nothing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.contracts.models.deblockle import OPEN, PLAYING, DeblockleMatch, Events
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, ContractReceipt, Refused
from tests.contracts.support.deblockle_match import NOBODY
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.tokens import Manner, behave, endow, hostile, plain

CONTRACT = "Deblockle"
RICH = 2**100
CLOCK = 600
MANNERS = [manner for manner in Manner if manner != Manner.REVERTS_TO]
HARMLESS = (Manner.GOOD, Manner.RETURNS_NOTHING, Manner.REENTERS)
OFTEN = {
    "create", "join", "cancel", "passMove", "resign", "claimTimeout", "withdraw", "TokenFailed", "BadDeposit",
    "BadPayment", "EtherRefused", "NothingDue",
}  # fmt: skip

picks = st.integers(0, 20)
terms = st.sampled_from([(60, 1), (1000, 2), (1000, 3), (10**18 + 7, 10**15), (2**96 - 1, (2**96 - 1) // 60)])


class Purse(RuleBasedStateMachine):
    """Each match has a model of its own, which plays what the chain has carried out."""

    anvil: ClassVar[AnvilNode]
    game: ClassVar[Contract]
    tokens: ClassVar[list[Contract | None]]
    """Ether, the good token, two hostile ones."""
    seen: ClassVar[Counter[str]]

    @initialize()
    def begin(self) -> None:
        self.snapshot = self.anvil.rpc("evm_snapshot")
        self.time = int(self.anvil.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
        self.matches: list[tuple[DeblockleMatch, int]] = []
        self.manners = [Manner.GOOD] * len(self.tokens)
        self.deaf: set[int] = set()
        for token in (0, 2):
            self.create(0, token, (1000, 2))
            self.join(len(self.matches) - 1, 1)

    # ---- the players

    @rule(player=st.integers(0, 3), token=st.integers(0, 3), terms=terms)
    def create(self, player: int, token: int, terms: tuple[int, int]) -> None:
        who, address = self.anvil.accounts[player], self._address(token)
        number = self.game.call("matchRange")[1]
        match = DeblockleMatch(number, [NOBODY, NOBODY], 4, 0, address, *terms, CLOCK)
        value = match.stake if token == 0 else 0
        call = ("create", NOBODY, 4, 0, address, *terms, CLOCK, 0)
        if self._send(who, token, value, call, lambda: match.create(who, value)):
            self.matches.append((match, token))
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks, player=st.integers(0, 3))
    def join(self, pick: int, player: int) -> None:
        match, token = self.picked(pick, OPEN)
        others = [account for account in self.anvil.accounts[:4] if account != match.seats[0]]
        who, value = others[player % 3], match.stake if token == 0 else 0
        call = ("join", match.number, *match.terms)
        self._send(who, token, value, call, lambda: match.join(who, match.terms, value, self.time))
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        match, token = self.picked(pick, OPEN)
        host = match.seats[0]
        assert self._send(host, token, 0, ("cancel", match.number), lambda: match.cancel(host))
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
                assert self._send(who, token, 0, call, lambda who=who, ply=ply: match.skip(who, ply, self.time))
        self._holds()

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, seat=st.integers(0, 1), seconds=st.sampled_from([0, 10, 100]))
    def resign(self, pick: int, seat: int, seconds: int) -> None:
        match, token = self.picked(pick, PLAYING)
        self.time += seconds
        who = match.seats[seat]
        assert self._send(who, token, 0, ("resign", match.number), lambda: match.resign(who, self.time))
        self._holds()

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, player=st.integers(0, 3))
    def wait(self, pick: int, player: int) -> None:
        match, token = self.picked(pick, PLAYING)
        self.time = max(self.time, match.deadline)
        who = self.anvil.accounts[player]
        assert self._send(who, token, 0, ("claimTimeout", match.number), lambda: match.claim_timeout(self.time))
        self._holds()

    @rule(pick=picks, seat=st.integers(0, 1), seconds=st.sampled_from([0, 10, 100]))
    def withdraw(self, pick: int, seat: int, seconds: int) -> None:
        if self.matches:
            self.time += seconds
            self._withdraw(*self.matches[pick % len(self.matches)], seat)
            self._holds()

    # ---- tokens and wallets

    @rule(token=st.integers(2, 3), manner=st.sampled_from(MANNERS), pick=picks)
    def turn_bad(self, token: int, manner: Manner, pick: int) -> None:
        """Then a deposit and, where one is due, a payment."""
        number = self.matches[pick % len(self.matches)][0].number if self.matches else 1
        behave(self._token(token), manner, self.game.address, self.game.data("withdraw", number))
        self.time += 1
        self.manners[token] = manner
        self.create(pick % 4, token, (1000, 2))
        for match, own in self.matches:
            if own == token and match.status != OPEN:
                self._withdraw(match, token, pick % 2)
        self._holds()

    @rule(token=st.integers(2, 3))
    def turn_good(self, token: int) -> None:
        behave(self._token(token), Manner.GOOD)
        self.time += 1
        self.manners[token] = Manner.GOOD

    @rule(player=st.integers(0, 3), deaf=st.booleans())
    def wallet(self, player: int, deaf: bool) -> None:
        """A wallet that takes no ether, or does again."""
        self.anvil.rpc("anvil_setCode", self.anvil.accounts[player], "0x5f5ffd" if deaf else "0x")
        (self.deaf.add if deaf else self.deaf.discard)(player)
        for match, token in self.matches:
            if token == 0 and match.status != OPEN and self.anvil.accounts[player] in match.seats:
                self._withdraw(match, token, match.seats.index(self.anvil.accounts[player]))
        self._holds()

    def teardown(self) -> None:
        if not hasattr(self, "snapshot"):
            return
        for token in (2, 3):
            self.turn_good(token)
        for player in range(4):
            self.wallet(player, deaf=False)
        while self.some(OPEN):
            self.cancel(0)
        while self.some(PLAYING):
            self.resign(0, 0, 100)
        for match, token in self.matches:
            for seat in (0, 1):
                self._withdraw(match, token, seat)
        self._holds()
        assert [self._held(token) for token in range(4)] == [0, 0, 0, 0]
        self.anvil.rpc("evm_revert", self.snapshot)

    # ---- single calls

    def some(self, status: int) -> bool:
        return any(match.status == status for match, _ in self.matches)

    def picked(self, pick: int, status: int) -> tuple[DeblockleMatch, int]:
        fitting = [each for each in self.matches if each[0].status == status]
        return fitting[pick % len(fitting)]

    def _withdraw(self, match: DeblockleMatch, token: int, seat: int) -> None:
        who = match.seats[seat]
        if who != NOBODY:
            self._send(who, token, 0, ("withdraw", match.number), lambda: match.withdraw(who, self.time))

    def _send(
        self, who: str, token: int, value: int, call: tuple[Any, ...], play: Callable[[], Events]
    ) -> ContractReceipt | None:
        """None when it was refused, which must have a cause and leave balances as they were."""
        before = [self._held(each) for each in range(4)]
        self.time += 1
        self.anvil.rpc("evm_setNextBlockTimestamp", self.time)
        try:
            receipt = self.game.send(who, *call, value=value, gas=2_000_000)
        except Refused as refused:
            why = refused.name
        else:
            assert [(event.name, event.args) for event in receipt.events] == play()
            self.seen[call[0]] += 1
            return receipt
        self.seen[why] += 1
        assert self._may_refuse(why, self.anvil.accounts.index(who), token), (why, call)
        assert [self._held(each) for each in range(4)] == before
        return None

    def _may_refuse(self, name: str, player: int, token: int) -> bool:
        if name in ("TokenFailed", "BadDeposit", "BadPayment"):
            return self.manners[token] not in HARMLESS
        return name == "NothingDue" or (name == "EtherRefused" and token == 0 and player in self.deaf)

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

    def _held(self, token: int) -> int:
        """As the ledger itself has it, whatever the token says."""
        if token == 0:
            return int(self.anvil.rpc("eth_getBalance", self.game.address, "latest"), 16)
        amount = self._token(token).call("ledger" if token > 1 else "balanceOf", self.game.address)
        assert isinstance(amount, int)
        return amount

    def _token(self, token: int) -> Contract:
        found = self.tokens[token]
        assert found is not None
        return found

    def _address(self, token: int) -> str:
        return self._token(token).address if token else NOBODY


@QUARTER
def test_what_comes_in_goes_out_or_is_held(anvil: AnvilNode, game: Contract, share: float) -> None:
    tokens = [None, plain(anvil), hostile(anvil), hostile(anvil)]
    people = anvil.accounts[:4]
    for account in people:
        anvil.rpc("anvil_setBalance", account, hex(2**110))
    for token in tokens[1:]:
        assert token is not None
        endow(token, game, RICH, *people)
    explore(Purse, OFTEN, 60, 40, share, anvil=anvil, game=game, tokens=tokens)
