"""Tests that Touché Coulé's contract, reducer and model agree after every step of a match.

A step is a legal or an illegal call. Hypothesis chooses the steps. The model is a second
implementation of the rules, and the reducer makes the index's board from the events.

- Given a match on one of four boards, with or without captains, on a chain with or without the
  history contract of EIP-2935
  - When anybody makes any legal or illegal call
    - The contract should reject an illegal call with exactly the error that the model predicts
    - A legal call should emit exactly the events that the model predicts, numbered without gaps
    - The contract's view, the reducer's board and the model's board should be the same
    - The map of every built-in ship should equal the model's map
    - The invariants in the game's rules should hold
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from eth_utils import to_checksum_address
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from indexer.gamekit.game import canonical, fold
from indexer.games import GAMES
from tests.contracts.models.touche_coule import OPEN, PLAYING, Events, ToucheCouleModel, ToucheCouleRevert
from tests.contracts.support import bytecode, eip2935
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.match_machine import MatchMachine
from tests.contracts.support.node import Node

CONTRACT = "ToucheCoule"
GAME = GAMES["touche-coule"]
PLAYERS = 5
OUTSIDER = 5
FAR = 200
"""The block number from which the test no longer waits for many blocks."""
OFTEN = {
    "Registered",
    "TurnPlayed",
    "Fired",
    "Touched",
    "MatchEnded",
    "NotReady",
    "WrongStatus",
    "ShipLimit",
    "StaleMove",
}
RARE = {"Touched"}
"""The events that are rare on a large board."""

CAPTAINS: dict[str, tuple[str, int | None]] = {
    to_checksum_address(f"0x{0xCA000 + place:040x}"): captain
    for place, captain in enumerate(
        [
            (bytecode.answers(0), 0),
            (bytecode.answers(3), 3),
            (bytecode.answers(27), 27),
            (bytecode.answers(4095), 4095),
            (bytecode.answers(4096), 4096),
            (bytecode.answers(1 << 16 | 1), 1 << 16 | 1),
            (bytecode.answers(1 << 255), 1 << 255),
            (bytecode.answers(1, 31), None),
            (bytecode.answers(1, 64), None),
            (bytecode.REVERTS, None),
            (bytecode.REVERTS_HUGE, None),
            (bytecode.BURNS, None),
            (bytecode.STOPS, None),
        ]
    )
}
NO_CODE = to_checksum_address("0x" + 36 * "0" + "dead")

accounts = st.integers(0, OUTSIDER)
picks = st.integers(0, 9)
captains = st.sampled_from([None, *CAPTAINS, NO_CODE])


class ToucheCouleMachine(MatchMachine):
    """A test of one match, in which anybody makes any call in any order."""

    rules_of = GAME
    size: ClassVar[tuple[int, int]]
    reach: ClassVar[int]
    """The number of past blocks whose hashes the chain remembers."""

    @initialize(
        captains_too=st.booleans(),
        fleet=st.lists(st.tuples(st.integers(0, PLAYERS - 1), captains), min_size=2, max_size=10),
        start=st.sampled_from([True, True, True, False]),
        blocks=st.integers(0, 999),
    )
    def open(self, captains_too: bool, fleet: list[tuple[int, str | None]], start: bool, blocks: int) -> None:
        """Mine this number of blocks, and then open a match. The number of blocks affects the
        random draws in the match."""
        self.snapshot = self.node.rpc("evm_snapshot")
        self.node.mine(blocks)
        answers = {address: answer for address, (_, answer) in CAPTAINS.items()}
        width, height = self.size
        receipt = self.game.send(self.node.accounts[0], "create", width, height, captains_too)
        self.sea = ToucheCouleModel(receipt.events[0].match, width, height, captains_too, answers, self.reach)
        self.board = fold(GAME, GAME.start, receipt.events)
        block = self.node.rpc("eth_getBlockByNumber", "latest", False)
        self.height, self.time, self.tip = receipt.height, int(block["timestamp"], 16), block["hash"]
        self._look()
        if start:
            self._register(0, None)
            self._register(1, None)
        for player, captain in fleet:
            self._register(player, captain if captains_too else None)
        if start:
            self._turn(0, 0)

    # ---- sensible calls by players

    @precondition(lambda self: self.sea.status == OPEN)
    @rule(player=accounts, captain=captains)
    def register(self, player: int, captain: str | None) -> None:
        self._register(player, captain)

    @precondition(lambda self: self.sea.status == OPEN)
    @rule(player=accounts)
    def start(self, player: int) -> None:
        self._turn(player, 0)

    @precondition(lambda self: self.sea.status == PLAYING)
    @rule(pick=picks, turns=st.integers(1, 8))
    def turns(self, pick: int, turns: int) -> None:
        for _ in range(turns):
            if self.sea.status == PLAYING:
                self.mine(1)
                self._turn(self._alive(pick), 0)

    @precondition(lambda self: self.sea.status == PLAYING)
    @rule(pick=picks, wait=st.integers(0, 1))
    def move(self, pick: int, wait: int) -> None:
        self.mine(wait)
        self._change_position(self._alive(pick))

    @precondition(lambda self: self.sea.status == PLAYING)
    @rule(pick=picks)
    def talk(self, pick: int) -> None:
        self._communicate(self._alive(pick))

    @precondition(lambda self: self.sea.status == PLAYING)
    @rule(blocks=st.integers(1, 2))
    def wait(self, blocks: int) -> None:
        self.mine(blocks)

    @precondition(lambda self: self.sea.status == PLAYING and self.height < FAR)
    @rule(blocks=st.sampled_from([254, 255, 256, 257]))
    def wait_long(self, blocks: int) -> None:
        """Wait beyond the reach of BLOCKHASH, so that a different block can decide the draw. This
        is rare, because it takes Anvil a long time."""
        self.mine(blocks)

    # ---- calls by anybody at any time

    @rule(
        player=accounts,
        captain=captains,
        ahead=st.sampled_from([0, 0, 1, -1, 1000]),
        call=st.sampled_from(["register", "turn", "changePosition", "communicate"]),
    )
    def meddle(self, player: int, captain: str | None, ahead: int, call: str) -> None:
        if call == "register":
            self._register(player, captain)
        elif call == "turn":
            self._turn(player, ahead)
        elif call == "changePosition":
            self._change_position(player)
        else:
            self._communicate(player)

    @rule(seconds=st.sampled_from([1, 1, 1, 1, 1, 1, 1, 86_399, 86_400]))
    def expire(self, seconds: int) -> None:
        sea = self.sea
        self.time += seconds - 1
        self._step(
            self.node.accounts[OUTSIDER],
            "expire",
            check=lambda: sea.check_expire(self.time + 1),
            play=lambda _block: sea.expire(),
        )

    @rule(player=accounts, call=st.sampled_from(["register(uint48)", "changePosition", "communicate", "expire"]))
    def unknown_match(self, player: int, call: str) -> None:
        self.no_such_match(self.node.accounts[player], call)

    @rule(width=st.sampled_from([0, 1, 65, 255]), height=st.integers(0, 255), swap=st.booleans())
    def bad_size(self, width: int, height: int, swap: bool) -> None:
        sides = (height, width) if swap else (width, height)
        with pytest.raises(Reverted) as caught:
            self.game.call("create", *sides, True)
        assert caught.value == Reverted("BadSize", *sides)

    def teardown(self) -> None:
        """Revert the chain to the start of the test. A long chain would slow Anvil down, and the
        same example should give the same draws."""
        if hasattr(self, "snapshot"):
            self.node.rpc("evm_revert", self.snapshot)

    # ---- single calls

    def _alive(self, pick: int) -> int:
        owners = sorted({ship.owner for ship in self.sea.afloat})
        return self.node.accounts.index(owners[pick % len(owners)])

    def mine(self, blocks: int) -> None:
        self.node.mine(blocks)
        self.height += blocks
        block = self.node.rpc("eth_getBlockByNumber", hex(self.height), False)
        self.time, self.tip = int(block["timestamp"], 16), block["hash"]

    def _register(self, player: int, captain: str | None) -> None:
        sender, sea = self.node.accounts[player], self.sea
        parent = bytes.fromhex(self.tip[2:])
        name, more = ("register(uint48)", ()) if captain is None else ("register(uint48,address)", (captain,))
        self._step(
            sender,
            name,
            *more,
            check=lambda: sea.check_register(sender, captain, captain in CAPTAINS),
            play=lambda block: sea.register(sender, captain, parent, int(block["mixHash"], 16)),
        )

    def _turn(self, player: int, ahead: int) -> None:
        sender, sea = self.node.accounts[player], self.sea
        number = max(0, sea.ply + ahead)
        self._step(
            sender,
            "turn",
            number,
            check=lambda: sea.check_turn(sender, number, self.height + 1),
            play=lambda block: sea.turn(sender, self.height, int(block["timestamp"], 16), self._hash),
        )

    def _change_position(self, player: int) -> None:
        sender, sea = self.node.accounts[player], self.sea
        self._step(
            sender,
            "changePosition",
            check=lambda: sea.check_change(sender, self.height + 1),
            play=lambda _block: sea.change(sender, self.height, self._hash),
        )

    def _communicate(self, player: int) -> None:
        sender, sea = self.node.accounts[player], self.sea
        self._step(
            sender,
            "communicate",
            check=lambda: sea.check_communicate(sender),
            play=lambda _block: sea.communicate(sender),
        )

    # ---- comparison

    def _step(
        self,
        sender: str,
        function: str,
        *args: Any,
        check: Callable[[], None],
        play: Callable[[dict[str, Any]], Events],
    ) -> None:
        call = (function, self.sea.match, *args)
        try:
            check()
        except ToucheCouleRevert as revert:
            self.expect_revert(sender, call, Reverted(*revert.error), number=self.height + 1, time=self.time + 1)
        else:
            self._played(sender, call, play)

    def _played(self, sender: str, call: tuple[Any, ...], play: Callable[[dict[str, Any]], Events]) -> None:
        self.node.rpc("evm_setNextBlockTimestamp", self.time + 1)
        receipt = self.game.send(sender, *call)
        block = self.node.rpc("eth_getBlockByNumber", hex(receipt.height), False)
        self.height, self.time, self.tip = receipt.height, int(block["timestamp"], 16), block["hash"]
        before = self.sea.seq
        expected = play(block)
        assert [(event.name, event.args) for event in receipt.events] == expected
        self.seen.update(name for name, _ in expected)
        assert [event.seq for event in receipt.events] == list(range(before + 1, self.sea.seq + 1))
        self.board = self.folded(self.board, receipt.events)
        self._look()

    def _look(self) -> None:
        sea, game = self.sea, self.game
        built_in = [ship for ship in sea.ships if ship.built_in]
        requests = [game.request("board", sea.match), game.request("seqOf", sea.match)]
        requests += [game.request("occupied", sea.match, word) for word in range((sea.cells + 255) // 256)]
        requests += [game.request("mapOf", sea.match, ship.number) for ship in built_in]
        board, seq, *rest = self.node.batch(requests)
        maps = rest[len(rest) - len(built_in) :]
        assert _plain(game.result("board", board)) == sea.view()
        assert game.result("seqOf", seq) == sea.seq
        for ship, answer in zip(built_in, maps, strict=True):
            self._map_holds(ship, game.result("mapOf", answer))
        self._occupied_holds([game.result("occupied", word) for word in rest[: len(rest) - len(built_in)]])
        assert canonical(self.board) == canonical(sea.board())
        assert GAME.waits_for_block_after(self.board) == (sea.anchor if sea.status == PLAYING else None)

    def _map_holds(self, ship: Any, codes: bytes) -> None:
        """Check that the ship's map equals the model's map. Also check that it has the code 0 for
        each cell at which the ship can still fire, and for no other cell."""
        assert codes == self.sea.codes(ship)
        known = ship.fired | self.sea.friends(ship)
        assert codes.count(0) == self.sea.cells - len(known)

    def _occupied_holds(self, words: list[int]) -> None:
        """Check that each ship afloat occupies exactly one cell, and that all other cells are
        free."""
        taken = {256 * place + bit for place, word in enumerate(words) for bit in range(256) if word >> bit & 1}
        assert taken == {ship.cell for ship in self.sea.afloat}
        assert len(taken) == len(self.sea.afloat) == self.board["afloat"]

    def _hash(self, number: int) -> str:
        found = self.node.rpc("eth_getBlockByNumber", hex(number), False)["hash"]
        assert isinstance(found, str)
        return found


def _plain(view: tuple[Any, ...]) -> tuple[Any, ...]:
    *head, winner, ships = view
    shown = tuple((to_checksum_address(s[0]), to_checksum_address(s[1]), *s[2:]) for s in ships)
    return (*head, to_checksum_address(winner), shown)


@pytest.mark.parametrize(("width", "height", "examples"), [(2, 2, 40), (7, 4, 15), (12, 12, 20), (64, 64, 10)])
@QUARTER
def test_contract_reducer_and_model_agree(
    node: Node, game: Contract, width: int, height: int, examples: int, share: float
) -> None:
    _explore(node, game, (width, height), examples, share, eip2935.WINDOW)


@QUARTER
def test_they_agree_on_a_chain_without_a_history(node: Node, game: Contract, share: float) -> None:
    with eip2935.missing(node):
        _explore(node, game, (7, 4), 15, share, 256)


def _explore(node: Node, game: Contract, size: tuple[int, int], examples: int, share: float, reach: int) -> None:
    for address, (code, _) in CAPTAINS.items():
        node.rpc("anvil_setCode", address, code)
    explore(
        ToucheCouleMachine,
        OFTEN - RARE if size == (64, 64) else OFTEN,
        examples,
        25,
        share,
        node=node,
        game=game,
        size=size,
        reach=reach,
    )
