"""Tests that Battleship's contract, reducer and model agree after every step of a match.

A step is a legal or an illegal call. Hypothesis chooses the steps. The model is a second
implementation of the rules, and the reducer makes the index's board from the events.

- Given an open or a personal invitation, with or without a clock and a stake, and with sound or
  unsound fleets
  - When anybody makes any legal or illegal call at any time
    - The contract should reject an illegal call with exactly the error that the model predicts
    - A legal call should emit exactly the events that the model predicts, numbered without gaps
    - The contract's view, the reducer's board and the model's board should be the same
    - The contract should hold exactly the ether that was deposited and not withdrawn
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from indexer.gamekit.game import canonical
from indexer.games import GAMES
from tests.contracts.models.battleship import (
    DAY,
    MONTH,
    OPEN,
    PLAYING,
    BattleshipMatch,
    BattleshipRevert,
    Events,
    mask_and_fault,
    sealed,
)
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.match_machine import SingleMatchMachine
from tests.contracts.support.matches.battleship import FLEETS, NOBODY, WRAPPING, view_of
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import players_with_keys

CONTRACT = "Battleship"
OFTEN = {
    "MatchCreated", "PlayerJoined", "MatchStarted", "Staked", "Sealed", "Shot", "Answered", "GameOver", "Revealed",
    "MatchEnded", "Withdrawn", "won", "resigned", "timeout", "cheating-proved", "cancelled",
    "WrongStatus", "WrongPhase", "NotAPlayer", "NotYourTurn", "StaleMove", "BadTile", "TileTaken", "SamePlayer",
    "NotInvited", "NotTheInviter", "BadClock", "NoClock", "NotExpired", "ZeroCommitment", "CommitmentUsed", "BadReveal",
    "AlreadyRevealed", "TooLong", "BadDeposit", "KeyCantPay", "NothingDue",
}  # fmt: skip
ENTRIES = ["accept", "decline", "cancel", "move", "surrender", "reveal", "claimTimeout", "withdraw"]

HOST, GUEST, OTHER, HOSTS_KEY, GUESTS_KEY = range(5)
"""The possible senders of a call: the two players, an outsider, and each player's session key."""
senders = st.integers(HOST, GUESTS_KEY)
fleets = st.sampled_from([*FLEETS, *FLEETS, *FLEETS, WRAPPING, "nonsense", "PH0 SH0 DV2 BV3 CV4"])
messages = st.sampled_from(["", "Well played ⚓", "a", "b", "c", "x" * 280, "x" * 281])


class BattleshipMachine(SingleMatchMachine):
    """A test of one Battleship match at a time."""

    rules_of, revert_type = GAMES["battleship"], BattleshipRevert

    @initialize()
    def begin(self) -> None:
        self.begin_at_head()
        self.matches = 0
        self._open(FLEETS, True, DAY, 1)
        self._accept(GUEST, 40)

    @precondition(lambda self: self.match.status not in (OPEN, PLAYING))
    @rule(
        ships=st.tuples(fleets, fleets),
        named=st.booleans(),
        clock=st.sampled_from([0, 0, 30, 60, MONTH]),
        stake=st.sampled_from([0, 0, 1, 2**96 - 1]),
        start=st.booleans(),
    )
    def open(self, ships: tuple[str, str], named: bool, clock: int, stake: int, start: bool) -> None:
        """Open the next match, after the current match has ended."""
        self._open(ships, named, max(clock, 60) if stake else clock, stake)
        if start:
            self._accept(GUEST, 40)

    # ---- sensible calls by players

    @precondition(lambda self: self.match.status == OPEN)
    @rule(
        sender=st.sampled_from([GUEST, GUEST, GUESTS_KEY, OTHER]), tile=st.integers(0, 98), more=st.sampled_from([0, 1])
    )
    def accept(self, sender: int, tile: int, more: int) -> None:
        self._accept(sender, tile, more=more)

    @precondition(lambda self: self.match.status == OPEN)
    @rule(sender=senders, entry=st.sampled_from(["decline", "cancel"]))
    def close(self, sender: int, entry: str) -> None:
        self._enter(entry, sender)

    @precondition(lambda self: self.shooting)
    @rule(tile=st.sampled_from([99, 255]), again=st.booleans(), hit=st.booleans())
    def bad_tile(self, tile: int, again: bool, hit: bool) -> None:
        """Fire at a tile outside the grid, or at a tile that was fired at before."""
        if again:
            self._moves(tile, 2, (False, False), None, False)
        if not self.shooting:
            return
        shots = self.match.sides[self.match.mover].shots
        self._move(self.player(self.match.mover), 0, 0, hit, next(iter(shots), tile) if again else tile)

    @precondition(lambda self: self.shooting)
    @rule(
        seed=st.integers(0, 1000),
        count=st.sampled_from([1, 3, 40]),
        aim=st.sampled_from([(True, True), (True, False), (False, True), (False, False)]),
        lie=st.sampled_from([None, None, None, True, False]),
        by_key=st.booleans(),
    )
    def moves(self, seed: int, count: int, aim: tuple[bool, bool], lie: bool | None, by_key: bool) -> None:
        self._moves(seed, count, aim, lie, by_key)

    @precondition(lambda self: self.shooting)
    @rule(seed=st.integers(0, 1000), silent=st.sampled_from([None, None, 0, 1]))
    def play_to_the_end(self, seed: int, silent: int | None) -> None:
        self._moves(seed, 40, (True, True), None, False)
        for seat in range(2):
            if seat != silent and self.match.revealing:
                self._tell("reveal", self.player(seat), seat, b"")

    @precondition(lambda self: self.shooting)
    @rule(seat=st.integers(0, 1), message=messages)
    def surrender(self, seat: int, message: str) -> None:
        self._tell("surrender", self.player(seat), seat, message.encode())

    @precondition(lambda self: self.match.revealing)
    @rule(seat=st.integers(0, 1), message=messages)
    def reveal(self, seat: int, message: str) -> None:
        self._tell("reveal", self.player(seat), seat, message.encode())

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(sender=senders, late=st.sampled_from([-1, 0, 1]))
    def wait(self, sender: int, late: int) -> None:
        """Claim the timeout one second before the deadline, at the deadline, or one second after
        it."""
        if self.match.deadline:
            self.time = max(self.time, self.match.deadline + late - 1)
        self._enter("claimTimeout", sender)

    @precondition(lambda self: self.match.status not in (OPEN, PLAYING))
    @rule(sender=senders)
    def withdraw(self, sender: int) -> None:
        self._enter("withdraw", sender)
        self._enter("withdraw", HOST)

    # ---- calls by anybody at any time

    @rule(
        sender=senders,
        ahead=st.sampled_from([0, 0, 0, 1, -1, 1000]),
        aside=st.sampled_from([0, 0, 0, 1]),
        hit=st.booleans(),
        tile=st.sampled_from([0, 40, 98, 99, 255]),
    )
    def meddle_with_a_move(self, sender: int, ahead: int, aside: int, hit: bool, tile: int) -> None:
        self._move(sender, ahead, aside, hit, tile)

    @rule(sender=senders, seat=st.integers(0, 1), fits=st.booleans(), message=messages, entry=st.booleans())
    def meddle_with_a_fleet(self, sender: int, seat: int, fits: bool, message: str, entry: bool) -> None:
        """Reveal or surrender with either player's fleet, or with a fleet that nobody has
        sealed."""
        name = "reveal" if entry else "surrender"
        self._tell(name, sender, seat, message.encode(), ships=None if fits else b"x" * 256)

    @rule(
        sender=senders,
        tile=st.integers(0, 99),
        more=st.sampled_from([0, 0, 1]),
        kind=st.sampled_from(["good", "zero", "copied"]),
    )
    def meddle_with_a_seat(self, sender: int, tile: int, more: int, kind: str) -> None:
        commitment = {"good": self.sealed(1), "zero": bytes(32), "copied": self.sealed(0)}[kind]
        self._accept(sender, tile, commitment, more)

    @rule(sender=senders, entry=st.sampled_from(["decline", "cancel", "claimTimeout", "withdraw"]))
    def meddle(self, sender: int, entry: str) -> None:
        self._enter(entry, sender)

    @rule(
        sender=senders,
        opponent=senders,
        clock=st.sampled_from([0, 1, 29, 30, 59, 60, MONTH, MONTH + 1]),
        stake=st.integers(0, 1),
        value=st.integers(0, 1),
        used=st.booleans(),
    )
    def bad_invitation(self, sender: int, opponent: int, clock: int, stake: int, value: int, used: bool) -> None:
        """Send an invitation, but only if the model rejects it. A valid invitation would open
        another match."""
        who, other = self.senders[sender], self.senders[opponent]
        match = self._new(other, clock, stake)
        commitment = self.sealed(0) if used else bytes(32)
        try:
            match.check_invite(who, commitment, value)
        except BattleshipRevert as revert:
            call = ("invite", other, commitment, clock, NOBODY, stake)
            self.expect_revert(who, call, Reverted(*revert.error), value, time=self.time)

    @rule(sender=senders, entry=st.sampled_from(["board", "seqOf", *ENTRIES]))
    def unknown_match(self, sender: int, entry: str) -> None:
        fleet = ("", bytes(32), "")
        more = {"accept": (bytes(32), 0), "move": (0, 0, False, 0), "surrender": fleet, "reveal": fleet}.get(entry, ())
        self.no_such_match(self.senders[sender], entry, *more)

    # ---- single calls

    @property
    def shooting(self) -> bool:
        return self.match.status == PLAYING and not self.match.revealing

    def player(self, seat: int) -> int:
        """Return the index in `senders` of the player in the seat."""
        return self.senders.index(self.match.sides[seat].account)

    def sealed(self, seat: int) -> bytes:
        return sealed(self.ships[seat], self.nonces[seat])

    def _new(self, opponent: str, clock: int, stake: int) -> BattleshipMatch:
        used = self.match.used if hasattr(self, "match") else set()
        return BattleshipMatch(self.game.call("matchRange")[1], opponent, clock, NOBODY, stake, self.keys, used)

    def _open(self, ships: tuple[str, str], named: bool, clock: int, stake: int) -> None:
        self.matches += 1
        self.ships = [text.encode() for text in ships]
        self.nonces = [bytes([seat] * 31 + [self.matches]) for seat in range(2)]
        opponent = self.senders[GUEST] if named else NOBODY
        match = self.match = self._new(opponent, clock, stake)
        self.board = self.rules_of.start
        host, commitment = self.senders[HOST], self.sealed(0)
        self._step(
            HOST, "invite", opponent, commitment, clock, NOBODY, stake, value=stake,
            check=lambda: match.check_invite(host, commitment, stake),
            play=lambda: match.invite(host, commitment),
        )  # fmt: skip

    def _accept(self, sender: int, tile: int, commitment: bytes | None = None, more: int = 0) -> None:
        match, who = self.match, self.senders[sender]
        seal, value = self.sealed(1) if commitment is None else commitment, match.stake + more
        self._step(
            sender, "accept", match.number, seal, tile, value=value,
            check=lambda: match.check_accept(who, seal, tile, value),
            play=lambda: match.accept(who, seal, tile, self.time),
        )  # fmt: skip

    def _moves(self, seed: int, count: int, aim: tuple[bool, bool], lie: bool | None, by_key: bool) -> None:
        """Play at most `count` moves. `aim` says for each player whether the player knows the
        opponent's fleet. `lie` is the answer to every shot. If it is None, the answers are true."""
        order = random.Random(seed).sample(range(99), 99)
        for _ in range(count):
            if not self.shooting:
                return
            match, seat = self.match, self.match.mover
            own, target = (mask_and_fault(self.ships[side])[0] for side in (seat, 1 - seat))
            left = [tile for tile in order if tile not in match.sides[seat].shots]
            aimed = [tile for tile in left if tile in target] if aim[seat] else []
            true = match.pending in own
            player = self.player(seat)
            sender = self.key_of(player) if by_key else player
            self._move(sender, 0, 0, true if lie is None else lie, [*aimed, *left][0])

    def _move(self, sender: int, ahead: int, aside: int, hit: bool, tile: int) -> None:
        match, who = self.match, self.senders[sender]
        ply, answered = max(0, match.ply + ahead), (match.pending + aside) % 256
        self._step(
            sender, "move", match.number, ply, answered, hit, tile,
            check=lambda: match.check_move(who, ply, answered, hit, tile),
            play=lambda: match.move(hit, tile, self.time),
        )  # fmt: skip

    def _tell(self, entry: str, sender: int, seat: int, message: bytes, ships: bytes | None = None) -> None:
        match, who = self.match, self.senders[sender]
        fleet = (self.ships[seat] if ships is None else ships, self.nonces[seat], message)
        told = (fleet[0].decode(), fleet[1], message.decode())
        if entry == "surrender":
            self._step(
                sender, entry, match.number, *told,
                check=lambda: match.check_surrender(who, *fleet),
                play=lambda: match.surrender(who, *fleet, self.time),
            )  # fmt: skip
        else:
            self._step(
                sender, entry, match.number, *told,
                check=lambda: match.check_reveal(who, *fleet),
                play=lambda: match.reveal(who, *fleet),
            )  # fmt: skip

    def _enter(self, entry: str, sender: int) -> None:
        match, who = self.match, self.senders[sender]
        checks: dict[str, Callable[[], None]] = {
            "decline": lambda: match.check_decline(who),
            "cancel": lambda: match.check_cancel(who),
            "claimTimeout": lambda: match.check_timeout(self.time),
            "withdraw": lambda: match.check_withdraw(who),
        }
        plays: dict[str, Callable[[], Events]] = {
            "decline": match.close,
            "cancel": match.close,
            "claimTimeout": lambda: match.timeout(self.time),
            "withdraw": lambda: match.withdraw(who),
        }
        self._step(sender, entry, match.number, check=checks[entry], play=plays[entry])

    # ---- comparison

    def _look(self) -> None:
        view, balance = self.node.batch(
            [self.game.request("board", self.match.number), ("eth_getBalance", self.game.address, "latest")]
        )
        assert view_of(self.game.result("board", view)) == self.match.view()
        assert int(balance, 16) == self.held
        assert canonical(self.board) == canonical(self.match.board())


@QUARTER
def test_contract_reducer_and_model_agree(node: Node, game: Contract, sessions: Contract, share: float) -> None:
    people = players_with_keys(node, game, sessions, seats=2)
    explore(BattleshipMachine, OFTEN, 200, 40, share, node=node, game=game, senders=people)
