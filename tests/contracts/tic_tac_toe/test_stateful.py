"""Tests that Tic-tac-toe's contract, reducer and model agree after every step of several matches.

A step is a legal or an illegal call. Hypothesis chooses the steps. The model is a second
implementation of the rules, and the reducer makes the index's board from the events.

- Given three players, the first player's session key, and an outsider
  - When any of them makes any legal or illegal call at any time
    - The contract should reject an illegal call with exactly the error that the model predicts
    - A legal call should emit exactly the events that the model predicts, numbered without gaps in
      each match
    - The contract's view, the reducer's board and the model's board should be the same
    - A host and a challenger should have at most one unfinished match
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from indexer.gamekit.game import canonical
from indexer.games import GAMES
from indexer.model import Json
from tests.contracts.models.tic_tac_toe import (
    FINISHED,
    MONTH,
    OPEN,
    PLAYING,
    Events,
    TicTacToeMatch,
    TicTacToeRevert,
    TicTacToeWorld,
)
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.match_machine import MatchMachine
from tests.contracts.support.matches.tic_tac_toe import NOBODY, plain
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import funded_account, offer_and_accept

CONTRACT = "TicTacToe"
OFTEN = {
    "MatchCreated", "PlayerJoined", "MatchStarted", "Moved", "GameWon", "MatchEnded", "RestartOffered", "RematchOpened",
    "won", "draw", "resigned", "timeout", "cancelled",
    "SamePlayer", "BadClock", "GameExists", "WrongStatus", "NotInvited", "NotAPlayer", "NotYourTurn", "StaleMove",
    "BadCell", "CellTaken", "RematchExists", "NoOffer", "AlreadyOffered", "NoClock", "NotExpired",
}  # fmt: skip
ENTRIES = ["accept", "rematch", "offerRestart", "acceptRestart", "close", "resign", "claimTimeout"]

picks = st.integers(0, 11)
senders = st.integers(0, 4)
"""The possible senders of a call: three players, an outsider, and the first player's session
key."""
KEY = 4
off = st.sampled_from([0, 0, 0, 0, 1, -1, 1000])
cells = st.permutations(range(9))


class Tables(MatchMachine):
    rules_of = GAMES["tic-tac-toe"]
    senders: ClassVar[list[str]]

    @initialize(clock=st.sampled_from([0, 60]), named=st.booleans())
    def begin(self, clock: int, named: bool) -> None:
        self.begin_at_head()
        self.world = TicTacToeWorld(self.game.call("matchRange")[1])
        self.boards: dict[int, Json] = {}
        self._create(0, self.senders[1] if named else NOBODY, clock)
        self._enter("accept", 1, 0)

    # ---- sensible calls by players

    @rule(
        sender=senders,
        challenger=st.sampled_from([None, 0, 1, 2]),
        clock=st.sampled_from([0, 29, 30, 60, MONTH, MONTH + 1]),
    )
    def create(self, sender: int, challenger: int | None, clock: int) -> None:
        self._create(sender, NOBODY if challenger is None else self.senders[challenger], clock)

    @precondition(lambda self: self.some(OPEN))
    @rule(pick=picks, sender=senders)
    def accept(self, pick: int, sender: int) -> None:
        self._enter("accept", sender, self.place(OPEN, pick))

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, order=cells, count=st.integers(1, 9), by_key=st.booleans())
    def moves(self, pick: int, order: list[int], count: int, by_key: bool) -> None:
        place = self.place(PLAYING, pick)
        match = self._match(place)
        for cell in [cell for cell in order if not match.rows[cell // 3][cell % 3]][:count]:
            if match.status == PLAYING:
                mover = self.senders.index(match.mover)
                self._move(KEY if mover == 0 and by_key else mover, place, 0, cell // 3, cell % 3)

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, row=st.sampled_from([0, 1, 2, 3]), column=st.sampled_from([0, 1, 2, 5]), waiting=st.booleans())
    def move_anywhere(self, pick: int, row: int, column: int, waiting: bool) -> None:
        """Try a move. The cell can be taken or outside the board, and it can be the other player's
        turn."""
        place = self.place(PLAYING, pick)
        match = self._match(place)
        self._move(self.senders.index(match.other(match.mover) if waiting else match.mover), place, 0, row, column)

    @precondition(lambda self: self.some(FINISHED))
    @rule(pick=picks, sender=senders)
    def rematch(self, pick: int, sender: int) -> None:
        self._enter("rematch", sender, self.place(FINISHED, pick))

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, sender=senders, other=senders, step=off)
    def restart(self, pick: int, sender: int, other: int, step: int) -> None:
        place = self.place(PLAYING, pick)
        self._enter("offerRestart", sender, place)
        self._enter("acceptRestart", other, place, step)

    @precondition(lambda self: self.some(PLAYING))
    @rule(pick=picks, sender=senders, late=st.sampled_from([-1, 0, 1]))
    def wait(self, pick: int, sender: int, late: int) -> None:
        """Claim the timeout one second before the deadline, at the deadline, or one second after
        it."""
        place = self.place(PLAYING, pick)
        deadline = self._match(place).deadline
        if deadline:
            self.time = max(self.time, deadline + late - 1)
        self._enter("claimTimeout", sender, place)

    # ---- calls by anybody at any time

    @rule(pick=picks, sender=senders, step=off, row=st.sampled_from([0, 1, 2, 3, 65_535]), column=st.integers(0, 8))
    def meddle_with_a_move(self, pick: int, sender: int, step: int, row: int, column: int) -> None:
        self._move(sender, pick, step, row, column)

    @rule(pick=picks, sender=senders, step=off, entry=st.sampled_from(ENTRIES))
    def meddle(self, pick: int, sender: int, step: int, entry: str) -> None:
        self._enter(entry, sender, pick, step)

    @rule(sender=senders, entry=st.sampled_from(["move", "board", "seqOf", *ENTRIES]))
    def unknown_match(self, sender: int, entry: str) -> None:
        more = {"move": (0, 0, 0), "acceptRestart": (0,)}.get(entry, ())
        self.no_such_match(self.senders[sender], entry, *more)

    # ---- single calls

    def some(self, status: int) -> bool:
        return any(match.status == status for match in self.world.matches.values())

    def place(self, status: int, pick: int) -> int:
        fitting = [place for place, match in enumerate(self.world.matches.values()) if match.status == status]
        return fitting[pick % len(fitting)]

    def _match(self, place: int) -> TicTacToeMatch:
        matches = list(self.world.matches.values())
        return matches[place % len(matches)]

    def _account(self, sender: int) -> str:
        return self.senders[0 if sender == KEY else sender]

    def _create(self, sender: int, challenger: str, clock: int) -> None:
        account = self._account(sender)
        self._step(sender, "create", challenger, clock, play=lambda: self.world.create(account, challenger, clock))

    def _move(self, sender: int, place: int, step: int, row: int, column: int) -> None:
        match, account = self._match(place), self._account(sender)
        call = (max(0, len(match.moves) + step), row, column)
        self._step(
            sender, "move", match.number, *call,
            play=lambda: self.world.move(match.number, account, *call, self.time),
        )  # fmt: skip

    def _enter(self, entry: str, sender: int, place: int, step: int = 0) -> None:
        match, account, world = self._match(place), self._account(sender), self.world
        number, ply = match.number, max(0, len(match.moves) + step)
        plays: dict[str, Callable[[], Events]] = {
            "accept": lambda: world.accept(number, account, self.time),
            "rematch": lambda: world.do_rematch(number, account, self.time),
            "offerRestart": lambda: world.offer_restart(number, account),
            "acceptRestart": lambda: world.accept_restart(number, account, ply, self.time),
            "close": lambda: world.close(number, account),
            "resign": lambda: world.resign(number, account),
            "claimTimeout": lambda: world.claim_timeout(number, self.time),
        }
        self._step(sender, entry, number, *((ply,) if entry == "acceptRestart" else ()), play=plays[entry])

    # ---- comparison

    def _step(self, sender: int, *call: Any, play: Callable[[], Events]) -> None:
        """Play the call on the model, as if it were in the next block, one second later. Then make
        the call on the contract, and compare the results."""
        before = {number: match.seq for number, match in self.world.matches.items()}
        self.time += 1
        try:
            expected = play()
        except TicTacToeRevert as revert:
            self.expect_revert(self.senders[sender], call, Reverted(*revert.error), time=self.time)
        else:
            self._played(self.senders[sender], call, expected, before)

    def _played(self, sender: str, call: tuple[Any, ...], expected: Events, before: dict[int, int]) -> None:
        self.node.rpc("evm_setNextBlockTimestamp", self.time)
        receipt = self.game.send(sender, *call)
        assert {event.time for event in receipt.events} == {self.time}
        assert [(event.match, event.name, event.args) for event in receipt.events] == expected
        self.seen.update(name for _, name, _ in expected)
        for number in {event.match for event in receipt.events}:
            events = [event for event in receipt.events if event.match == number]
            last = self.world.matches[number].seq
            assert [event.seq for event in events] == list(range(before.get(number, 0) + 1, last + 1))
            self.boards[number] = self.folded(self.boards.get(number, self.rules_of.start), events)
        self._look({event.match for event in receipt.events})

    def _look(self, changed: set[int]) -> None:
        game, world = self.game, self.world
        people = [self.senders[i] for i in range(4)]
        pairs = [(host, challenger) for host in people for challenger in people]
        requests = [game.request("liveMatch", *pair) for pair in pairs]
        requests += [game.request("board", number) for number in changed]
        answers = self.node.batch(requests)
        for pair, answer in zip(pairs, answers, strict=False):
            assert game.result("liveMatch", answer) == world.live(*pair)
        for number, answer in zip(changed, answers[len(pairs) :], strict=True):
            match = world.matches[number]
            assert plain(game.result("board", answer)) == match.view()
            assert canonical(self.boards[number]) == canonical(match.board())


@QUARTER
def test_contract_reducer_and_model_agree(node: Node, game: Contract, sessions: Contract, share: float) -> None:
    key, owner = funded_account(node), funded_account(node)
    until = int(node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + 1000 * MONTH
    offer_and_accept(sessions, owner, key, [game.address], until)
    people = [owner.address, *node.accounts[1:4], key.address]
    explore(Tables, OFTEN, 150 if share < 1 else 400, 40, share, node=node, game=game, senders=people)
