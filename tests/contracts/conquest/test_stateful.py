"""Tests that Conquest's contract, reducer and engine agree after every step of a match.

A step is a legal or an illegal call. Hypothesis chooses the steps. The engine is Conquest's rules
in Python, and the reducer makes the index's board from the events.

- Given a match of two to four players on a random map, from its beginning or from the middle
  - When anybody makes any legal or illegal call at any time, with or without a session key
    - The contract should reject an illegal call with exactly the error that the engine predicts
    - A legal call should emit exactly the events that the engine predicts, numbered without gaps
    - The contract's view, the reducer's board and the engine's state should be the same
    - The invariants in the game's rules should hold
      1. The map has as many lands as before, each with 0 to 99,999 soldiers.
      2. A player who owns a capital is still in the match, and it is the player's own capital. An
         eliminated player owns nothing.
      3. A player has at most one hero, on a land that the player owns.
      4. Soldiers change only by reinforcement, damage, halving and items.
      5. A replay of only the commands and the draws' seeds leads to the same state.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from indexer.games.conquest import GAME
from indexer.rules.conquest_state.chance import Chance
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.history import apply
from indexer.rules.conquest_state.state import NO_DRAW, ConquestState
from tests.contracts.support.conquest.storage import write_state
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.match_machine import MatchMachine
from tests.contracts.support.matches.conquest import NOBODY, OPEN, PLAYING, SEED, ConquestTable
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import players_with_keys
from tests.support.conquest.invariants import check_position, check_soldiers
from tests.support.conquest.maps import random_graph, row_of_lands
from tests.support.conquest.play import Command, random_command, random_state, wrong_command
from tests.support.conquest.states import without_events

CONTRACT = "Conquest"
SEATS = 4
OFTEN = {
    "MatchCreated", "PlayerJoined", "PlayerLeft", "Map", "Invited", "MatchStarted", "Commanded", "Phase", "Drawn",
    "BattleResolved", "Soldiers", "LandsTaken", "PortBuilt", "HeroAt", "ItemAppeared", "ItemExpired", "ItemCollected",
    "ItemUsed", "PlayerOut", "MatchEnded", "WrongStatus", "NotAPlayer", "NotYourTurn", "StaleMove", "OtherPosition",
    "SamePlayer", "NotInvited", "BadClock", "BadPlayers", "BadGrain", "BadMap", "NotExpired", "TooSoon", "WrongPhase",
    "NoSuchLand", "NotYourLand", "NotNeutral", "NotEnemy", "NotConnected", "NotStronger", "NoWater",
    "BadCount", "BadRatio", "NoItem", "NothingToSettle", "NoSuchMatch",
}  # fmt: skip
COMMANDS = {
    "chooseCapital": (0,), "reinforce": (0,), "buildPort": (0,), "pass": (False,), "surrender": (), "useItem": (),
    "capture": (0, 1), "attack": (b"\0\1",), "move": (0, 1, 1, False),
}  # fmt: skip

numbers = st.integers(0, 10_000)
senders = st.integers(0, 2 * SEATS)
is_played = precondition(lambda self: self.table.engine.status == PLAYING)


class AnyInterleaving(MatchMachine):
    """A test of one match at a time, in `table`. `senders` contains the accounts from
    `players_with_keys`."""

    rules_of = GAME
    senders: list[str]
    table: ConquestTable
    begun: ConquestState | None
    """The position from which the test replays the table's match."""

    @initialize(seed=numbers, players=st.integers(2, SEATS), plies=st.sampled_from([-1, 0, 10, 40, 90]))
    def begin(self, seed: int, players: int, plies: int) -> None:
        """Begin with a match in which `plies` plies have been played. If `plies` is -1, open a
        match that the other players must still join."""
        self.begin_at_head()
        if plies < 0:
            self._invite(players, seed % players)
        else:
            self._begin(seed, players, plies)

    def _invite(self, players: int, reserved: int) -> None:
        invited = [self.senders[seat] for seat in range(1, players)][:reserved]
        self._sit_down(players, row_of_lands(4 * players), invited=invited, join=False)

    def _begin(self, seed: int, players: int, plies: int) -> None:
        """Begin a match that has been played for this number of plies."""
        random = Random(seed)
        graph = random_graph(random, random.randint(4 * players, 5 * players))
        self._sit_down(players, graph)
        if plies:
            accounts = self.senders[:players]
            write_state(
                self.table, random_state(ConquestState.begun(LandGraph.read(graph), 1, accounts), random, plies)
            )
        self.begun, self.since = self.table.state.copy(), len(self.table.history)

    def _sit_down(self, players: int, graph: bytes, **more: Any) -> None:
        accounts, self.begun = self.senders[:players], None
        self.table = ConquestTable(self.game, players, graph, accounts=accounts, seen=self.seen, **more)
        self.table.stranger = self.senders[SEATS]

    def teardown(self) -> None:
        if hasattr(self, "table") and self.table.engine.state is not None:
            self._play_again()
        super().teardown()

    def _play_again(self) -> None:
        assert self.begun is not None
        state = self.begun.copy()
        for name, args in self.table.history[self.since :]:
            if name == "Drawn":
                carry_out(state, bytes.fromhex(args["seed"][2:]))
            elif name == "Commanded":
                apply(state, args["kind"], bytes.fromhex(args["data"][2:]))
        assert without_events(state) == without_events(self.table.state)

    def _call(self, sender: int, action: str, **arguments: Any) -> None:
        """Make a call as a player, an outsider, or a player's session key. The table compares the
        result with the engine's prediction."""
        player = sender if sender <= SEATS else sender - SEATS - 1
        before = self.table.engine.state and self.table.engine.state.copy()
        count = len(self.table.history)
        with suppress(Reverted):
            self.table.call(self.senders[sender], action, account=self.senders[player], **arguments)
        if before is not None:
            check_position(self.table.state)
            check_soldiers(before, self.table.history[count:], self.table.state)

    def _by_key(self, account: str, by_key: bool) -> int:
        player = self.senders.index(account)
        return player + SEATS + 1 if by_key else player

    def _give(self, step: Command, by_key: bool, *, ply: int = 0, trail: int = 0) -> None:
        """Send the mover's command, possibly for a wrong ply or with a wrong trail."""
        named = self.table.named()
        mover = self.table.accounts[self.table.settled().mover]
        named = {"ply": named["ply"] + ply, "trail": named["trail"] ^ trail}
        self._call(self._by_key(mover, by_key), step[0], **named, **step[1])

    def _ready(self, salt: int) -> ConquestState | None:
        """Plant a seed for the open draw, and return the state after the draw. Return None if the
        draw ends the match. The seed is planted because the chain's own hashes differ when an
        example is repeated."""
        self._wait(salt)
        after = self.table.settled()
        return None if after.is_over else after

    def _wait(self, salt: int, wanted: Callable[[Chance], bool] = lambda _chance: True) -> None:
        if self.table.state.draw != NO_DRAW and self.node.height == self.table.state.anchor:
            self.table.wait(wanted, salt)

    # ---- sensible calls by players

    @is_played
    @rule(seed=numbers, by_key=st.booleans(), steps=st.integers(1, 6))
    def play(self, seed: int, by_key: bool, steps: int) -> None:
        random = Random(seed)
        for step in range(steps):
            if self.table.engine.status != PLAYING:
                return
            after = self._ready(seed + step)
            if after is None:
                self._call(SEATS, "settle")
            else:
                self._give(random_command(after, random), by_key)

    @is_played
    @rule(salt=numbers, wanted=st.sampled_from(["", "item", "luck"]), sender=senders)
    def settle(self, salt: int, wanted: str, sender: int) -> None:
        decides = {"item": lambda chance: chance.number(0) % 100 < 12, "luck": lambda chance: chance.luck(0) > 110}
        self._wait(salt, decides.get(wanted, lambda _chance: True))
        self._call(sender, "settle")

    # ---- almost correct calls

    @is_played
    @rule(seed=numbers, by_key=st.booleans())
    def blunder(self, seed: int, by_key: bool) -> None:
        after = self._ready(seed)
        if after is not None:
            self._give(wrong_command(after, Random(seed)), by_key)

    @is_played
    @rule(seed=numbers, ply=st.sampled_from([0, 0, 1, -1]), trail=st.sampled_from([0, 1, 1 << 31]))
    def come_late(self, seed: int, ply: int, trail: int) -> None:
        after = self._ready(seed)
        if after is not None and after.ply + ply >= 0:
            self._give(random_command(after, Random(seed)), False, ply=ply, trail=trail)

    @is_played
    @rule(sender=senders, action=st.sampled_from(["settle", "surrender", "useItem"]))
    def hurry(self, sender: int, action: str) -> None:
        """Make a call immediately, even if the block that decides the draw does not exist yet."""
        named = {} if action == "settle" else {"ply": self.table.state.ply, "trail": self.table.state.trail}
        self._call(sender, action, **named)

    @is_played
    @rule(sender=senders, salt=numbers, late=st.sampled_from([-1, -1, 0, 100_000]))
    def sleep(self, sender: int, salt: int, late: int) -> None:
        self._wait(salt)
        self.table.due_time = max(self.table.now + 1, self.table.engine.deadline + late)
        self._call(sender, "claimTimeout")
        self.table.due_time = 0

    # ---- before and after

    @precondition(lambda self: self.table.engine.status not in (OPEN, PLAYING))
    @rule(seed=numbers, players=st.integers(2, SEATS), named=st.integers(0, SEATS), again=st.booleans())
    def open(self, seed: int, players: int, named: int, again: bool) -> None:
        if again:
            self._begin(seed, players, 60)
        else:
            self._invite(players, min(named, players - 1))

    @precondition(lambda self: self.table.engine.status == OPEN)
    @rule(sender=senders, others=senders, action=st.sampled_from(["join", "join", "join", "leave"]))
    def come_or_go(self, sender: int, others: int, action: str) -> None:
        self._call(sender, action)
        if self.table.engine.status == OPEN:
            self._call(others, "join")
        if self.table.engine.status == PLAYING:
            self.begun, self.since = self.table.state.copy(), len(self.table.history)

    @rule(sender=senders, wrong=st.sampled_from(["players", "invited", "grain", "clock", "graph", "twice"]))
    def open_badly(self, sender: int, wrong: str) -> None:
        """Try to open a match with a wrong setting. The contract rejects this, so the table keeps
        its match."""
        account = self.senders[sender if sender <= SEATS else sender - SEATS - 1]
        terms: dict[str, Any] = {"seed": SEED, "grain": 76, "players": 2, "invited": [], "clock": 60, "rematchOf": 0}
        more: dict[str, Any] = {
            **{"players": 7, "invited": [NOBODY, NOBODY], "grain": 47, "clock": 59, "twice": [account]},
            "graph": "0x" + row_of_lands(7).hex(),
        }
        terms = {**terms, "graph": "0x" + row_of_lands(8).hex(), **{wrong: more[wrong]}}
        if wrong == "twice":
            terms["invited"] = terms.pop(wrong)
        kept, self.table.engine = self.table.engine, type(self.table.engine)(self.game.call("matchRange")[1])
        self._call(sender, "create", **terms)
        self.table.engine = kept

    @rule(sender=senders, action=st.sampled_from(["join", "leave", "settle", "claimTimeout", "board", *COMMANDS]))
    def unknown_match(self, sender: int, action: str) -> None:
        more = (0, 0, *COMMANDS[action]) if action in COMMANDS else ()
        self.no_such_match(self.senders[sender], action, *more)
        self.seen["NoSuchMatch"] += 1

    @rule(sender=senders, action=st.sampled_from(["join", "leave", "settle", "surrender"]))
    def meddle(self, sender: int, action: str) -> None:
        named = {"ply": 0, "trail": 0} if action == "surrender" else {}
        self._call(sender, action, **named)
        if self.table.engine.status == PLAYING and self.begun is None:
            self.begun, self.since = self.table.state.copy(), len(self.table.history)


@QUARTER
def test_contract_reducer_and_engine_agree(node: Node, game: Contract, sessions: Contract, share: float) -> None:
    people = players_with_keys(node, game, sessions, seats=SEATS)
    explore(AnyInterleaving, OFTEN, 200 if share < 1 else 400, 25, share, node=node, game=game, senders=people)
