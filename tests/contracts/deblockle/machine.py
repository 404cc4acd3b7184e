"""Plays a Deblockle match on the chain and on a model of the rules at the same time.

The model predicts the result of each call, and the test compares it with the result on the chain.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from contracts.abi import checksum
from indexer.gamekit.game import canonical
from indexer.games import GAMES
from tests.contracts.models.deblockle import OPEN, DeblockleMatch, DeblockleRevert, Events
from tests.contracts.models.deblockle_board import STARS, STEPS, Square
from tests.contracts.models.deblockle_views import contract_view, folded_board, status_view
from tests.contracts.support.match_machine import SingleMatchMachine
from tests.contracts.support.matches.deblockle import NOBODY, view_of

HOST, GUEST, OTHER, HOSTS_KEY, GUESTS_KEY = range(5)
"""The possible senders of a call: the two players, an outsider, and each player's session key."""


class DeblockleMachine(SingleMatchMachine):
    """A test of one Deblockle match at a time."""

    rules_of, revert_type = GAMES["deblockle"], DeblockleRevert

    def begin_at_head(self) -> None:
        super().begin_at_head()
        self.ended: dict[int, DeblockleMatch] = {}

    def player(self, by_key: bool = False) -> int:
        """Return the mover, as a sender."""
        player = self.senders.index(self.match.seats[self.match.cubes.mover])
        return self.key_of(player) if by_key else player

    def _new(
        self, opponent: str, cubes: int, ruleset: int, stake: int, rate: int, clock: int, rematch: int
    ) -> DeblockleMatch:
        number, seats = self.game.call("matchRange")[1], [NOBODY, opponent]
        others = self.ended | ({self.match.number: self.match} if hasattr(self, "match") else {})
        return DeblockleMatch(
            number, seats, cubes, ruleset, NOBODY, stake, rate, clock, rematch, self.keys, others
        )  # fmt: skip

    def _invitation(self, match: DeblockleMatch) -> tuple[Any, ...]:
        terms = (match.seats[1], match.size, match.ruleset, NOBODY, match.stake, match.rate)
        return ("create", *terms, match.clock, match.rematch_of)

    def _create(self, sender: int, match: DeblockleMatch) -> None:
        if hasattr(self, "match"):
            self.ended[self.match.number] = self.match
        before, call = getattr(self, "match", None), self._invitation(match)
        self.match, self.board = match, self.rules_of.start
        self._step(sender, *call, value=match.stake, play=lambda: match.create(self.senders[sender], match.stake))
        if match.status != OPEN and before is not None:
            self.match = before

    def _join(self, sender: int, wrong: str = "", more: int = 0) -> None:
        match, who = self.match, self.senders[sender]
        cubes, ruleset, token, stake, rate, clock = match.terms
        terms = (
            cubes % 4 + 1 if wrong == "cubes" else cubes,
            1 - ruleset if wrong == "ruleset" else ruleset,
            self.senders[OTHER] if wrong == "token" else token,
            abs(stake - 1) if wrong == "stake" else stake,
            rate + 1 if wrong == "rate" else rate,
            clock + 1 if wrong == "clock" else clock,
        )
        value = terms[3] + more
        self._step(
            sender, "join", match.number, *terms, value=value, play=lambda: match.join(who, terms, value, self.time)
        )

    def _legal(self, rng: random.Random, by_key: bool) -> None:
        """Play a random legal roll or hop, preferably a roll that removes a cube. Pass if no roll
        is legal."""
        cubes, sender = self.match.cubes, self.player(by_key)
        if cubes.hopper is not None:
            end = rng.choice(sorted(cubes.hops(cubes.hopper)))
            self._move(sender, 0, cubes.cubes[cubes.hopper].square, end)
            return
        rolls = []
        for number, direction in cubes.rolls(cubes.mover):
            (x, y), (dx, dy) = cubes.cubes[number].square, STEPS[direction]
            rolls.append(((x, y), (x + dx, y + dy)))
        home = [roll for roll in rolls if roll[1] == STARS[cubes.mover]]
        if rolls:
            self._move(sender, 0, *rng.choice(home or rolls))
        else:
            self._pass(sender, 0)

    def _move(self, sender: int, ahead: int, start: Square, end: Square) -> None:
        match, who = self.match, self.senders[sender]
        ply = max(0, match.ply + ahead)
        self._step(
            sender, "makeMove", match.number, ply, *start, *end,
            play=lambda: match.move(who, ply, start, end, self.time),
        )  # fmt: skip

    def _pass(self, sender: int, ahead: int) -> None:
        match, ply = self.match, self.match.ply + ahead
        self._step(sender, "passMove", match.number, ply, play=lambda: match.skip(self.senders[sender], ply, self.time))

    def _enter(self, entry: str, sender: int) -> None:
        match, who = self.match, self.senders[sender]
        plays: dict[str, Callable[[], Events]] = {
            "cancel": lambda: match.cancel(who),
            "resign": lambda: match.resign(who, self.time),
            "claimTimeout": lambda: match.claim_timeout(self.time),
            "withdraw": lambda: match.withdraw(who, self.time),
        }
        self._step(sender, entry, match.number, play=plays[entry])

    # ---- comparison

    def _look(self) -> None:
        match, game = self.match, self.game
        views = ("board", "status", "streamed", "gameState")
        asked = [game.request(view, match.number) for view in views]
        *answers, balance = self.node.batch([*asked, ("eth_getBalance", game.address, "latest")])
        board, status, streamed, state = (
            game.result(view, answer) for view, answer in zip(views, answers, strict=True)
        )
        expected = contract_view(match)
        assert view_of(board) == expected
        assert _plain(status) == status_view(match, self.time)
        assert streamed == tuple(match.streams.refunded(seat, self.time) for seat in (0, 1))
        assert state[2] == expected[-1]
        assert int(balance, 16) == self.held
        assert sum(status[4]) <= self.held
        assert canonical(self.board) == canonical(folded_board(match))


def _plain(status: Any) -> tuple[Any, ...]:
    players, token, *amounts = status
    return tuple(map(checksum, players)), checksum(token), *amounts
