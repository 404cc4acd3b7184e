"""Tests that the contract holds every deposit or has paid it out, with several Battleship matches
at once.

The matches are played in ether, in a good token and in hostile tokens.

- Given players who open, accept and close matches, resign, and let clocks run out, in any order,
  while tokens change their behaviour
  - When a player makes any call, whether the contract rejects it or not
    - In each currency, the contract should hold what was deposited and not paid out
    - The contract should hold exactly what the matches still owe, unless a token itself changes
      balances
    - No player should have received more than the matches owed
  - When all matches have ended and every token behaves well
    - All players should receive what the matches owe them, and the contract should hold nothing
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.contracts.support.contract import Contract
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.matches.battleship import DAY, FLEETS, NOBODY, Sealed, seal
from tests.contracts.support.node import Node
from tests.contracts.support.tokens import TOKEN_BEHAVIOURS, EscrowMachine, TokenBehaviour, currencies

CONTRACT = "Battleship"
OPEN, SHOTS, REVEALS, OVER = range(4)
OFTEN = {
    "invite", "accept", "cancel", "surrender", "reveal", "claimTimeout", "withdraw",
    "TokenFailed", "BadDeposit", "BadPayment", "EtherRefused", "NothingDue",
}  # fmt: skip

picks = st.integers(0, 20)
seats = st.integers(0, 1)
stakes = st.sampled_from([1, 2, 9, 10**18, 2**96 - 1])


@dataclass
class StakedMatch:
    """The players and the money of a match. `owed` has the amount that the match owes to each seat.
    It is set when the match ends."""

    match: int
    token: int
    stake: int
    players: list[int]
    fleets: list[Sealed]
    stage: int = OPEN
    owed: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def held(self) -> int:
        if self.stage == OVER:
            return sum(self.owed)
        return self.stake * len(self.players)

    def end(self, *owed: int) -> None:
        self.stage, self.owed = OVER, list(owed)


class BattleshipEscrowMachine(EscrowMachine):
    @initialize()
    def begin(self) -> None:
        self.begin_at_head()
        self.matches: list[StakedMatch] = []
        self.invite(0, 0, 10)
        self.invite(1, 2, 10)

    # ---- the players

    @rule(player=st.integers(0, 3), token=st.integers(0, 3), stake=stakes)
    def invite(self, player: int, token: int, stake: int) -> None:
        fleet = seal(FLEETS[0])
        receipt = self._send(
            player, token, stake, "invite", NOBODY, fleet.commitment, DAY, self._address(token), stake
        )  # fmt: skip
        if receipt:
            self.matches.append(StakedMatch(receipt.events[0].match, token, stake, [player], [fleet]))
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks, player=st.integers(0, 3))
    def accept(self, pick: int, player: int) -> None:
        deal = self.deal(pick, OPEN)
        other = player if player != deal.players[0] else (player + 1) % 4
        fleet = seal(FLEETS[1])
        if self._send(other, deal.token, deal.stake, "accept", deal.match, fleet.commitment, 0):
            deal.players.append(other)
            deal.fleets.append(fleet)
            deal.stage = SHOTS
        self._holds()

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        deal = self.deal(pick, OPEN)
        assert self._send(deal.players[0], deal.token, 0, "cancel", deal.match)
        deal.end(deal.stake, 0)
        self._holds()

    @precondition(lambda self: self.some(SHOTS))
    @rule(pick=picks, seat=seats)
    def surrender(self, pick: int, seat: int) -> None:
        """Let a player surrender. Afterwards, the other player can reveal but doesn't have to."""
        deal = self.deal(pick, SHOTS)
        self._send_fleet("surrender", deal, seat)
        deal.stage = REVEALS
        deal.players, deal.fleets = deal.players[:: -1 if seat else 1], deal.fleets[:: -1 if seat else 1]
        self._holds()

    @precondition(lambda self: self.some(REVEALS))
    @rule(pick=picks)
    def reveal(self, pick: int) -> None:
        deal = self.deal(pick, REVEALS)
        self._send_fleet("reveal", deal, 1)
        deal.end(0, 2 * deal.stake)
        self._holds()

    @rule()
    def wait(self) -> None:
        """Wait for more than a day, and claim the timeouts. Every match that waits for a reveal
        then ends without a winner."""
        waiting = [deal for deal in self.matches if deal.stage == REVEALS]
        now = int(self.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
        self.node.rpc("evm_setNextBlockTimestamp", now + DAY + 100)
        self.node.mine()
        for deal in waiting:
            assert self._send(0, deal.token, 0, "claimTimeout", deal.match)
            deal.end(deal.stake, deal.stake)
        self._holds()

    @precondition(lambda self: self.some(OVER))
    @rule(pick=picks, seat=seats)
    def withdraw(self, pick: int, seat: int) -> None:
        self._withdraw(self.deal(pick, OVER), seat)
        self._holds()

    # ---- tokens and wallets

    @rule(
        token=st.integers(2, 3),
        behaviour=st.sampled_from(TOKEN_BEHAVIOURS),
        entry=st.sampled_from(["withdraw", "cancel"]),
        pick=picks,
    )
    def change_behaviour(self, token: int, behaviour: TokenBehaviour, entry: str, pick: int) -> None:
        match = self.matches[pick % len(self.matches)].match if self.matches else 1
        self._behave(token, behaviour, self.game.data(entry, match))
        self._try(pick % 4, token)

    def _try(self, player: int, token: int) -> None:
        """Try a deposit and, if a payment is due, a withdrawal."""
        self.invite(player, token, 10**18)
        for deal in self.matches:
            if deal.token == token and deal.stage == OVER and deal.owed[0]:
                self._withdraw(deal, 0)
                break
        self._holds()

    @rule(player=st.integers(0, 3), rejecting=st.booleans())
    def wallet(self, player: int, rejecting: bool) -> None:
        """Make a player's wallet reject ether (`rejecting`) or accept it again."""
        self._set_rejecting(player, rejecting)
        for deal in self.matches:
            if deal.token == 0 and deal.stage == OVER and player in deal.players:
                self._withdraw(deal, deal.players.index(player))
        self._holds()

    def _finish(self) -> None:
        for deal in self.matches:
            if deal.stage == OPEN:
                self._send(deal.players[0], deal.token, 0, "cancel", deal.match)
                deal.end(deal.stake, 0)
            elif deal.stage == SHOTS:
                self._send_fleet("surrender", deal, 0)
                deal.stage = REVEALS
        self.wait()
        for deal in self.matches:
            for seat in range(2):
                self._withdraw(deal, seat)
        self._holds()

    # ---- single calls

    def some(self, stage: int) -> bool:
        return any(deal.stage == stage for deal in self.matches)

    def deal(self, pick: int, stage: int) -> StakedMatch:
        fitting = [deal for deal in self.matches if deal.stage == stage]
        return fitting[pick % len(fitting)]

    def _send_fleet(self, entry: str, deal: StakedMatch, seat: int) -> None:
        fleet = deal.fleets[seat]
        assert self._send(deal.players[seat], deal.token, 0, entry, deal.match, fleet.ships, fleet.nonce, "")

    def _withdraw(self, deal: StakedMatch, seat: int) -> None:
        if seat >= len(deal.players):
            return
        player, due = deal.players[seat], deal.owed[seat]
        receipt = self._send(player, deal.token, 0, "withdraw", deal.match)
        if receipt:
            assert [args["amount"] for args in receipt.named("Withdrawn")] == [str(due)]
            assert due
            deal.owed[seat] = 0

    def _holds(self) -> None:
        for token in range(4):
            assert self._held(token) == sum(deal.held for deal in self.matches if deal.token == token)


@QUARTER
def test_what_comes_in_goes_out_or_is_held(node: Node, game: Contract, share: float) -> None:
    tokens = currencies(node, game, node.accounts[:4])
    explore(BattleshipEscrowMachine, OFTEN, 60, 40, share, node=node, game=game, tokens=tokens)
