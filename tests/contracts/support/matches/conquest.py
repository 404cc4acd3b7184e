"""A Conquest match on a test's chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from contracts.abi import checksum
from indexer.gamekit.game import fold
from indexer.games.conquest import GAME
from indexer.model import Event, Json
from indexer.rules.call import Call, CallBlock, Emitted
from indexer.rules.conquest_state.boards import PHASES, match_of
from indexer.rules.conquest_state.chance import Chance, trail_after_draw
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.match import ConquestMatch
from indexer.rules.conquest_state.state import BATTLE, COLLECT, NO_DRAW, NONE, ConquestState
from tests.contracts.support import eip2935
from tests.contracts.support.contract import Contract, ContractReceipt, Reverted
from tests.contracts.support.node import Node
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import seed_for

OPEN, PLAYING = 1, 2
NOBODY = "0x" + 40 * "0"
CLOCK = 3_600
SEED = "0x" + 64 * "5"
STRANGER = 130
"""The number of an account that never takes part in a match."""


class ConquestTable:
    """A match between `accounts` or, by default, between the node's first accounts.

    All players have joined, unless `join` is False. `seen` counts the match's events, errors and
    items."""

    def __init__(
        self,
        game: Contract,
        players: int = 2,
        graph: bytes | None = None,
        *,
        clock: int = CLOCK,
        invited: Sequence[str] = (),
        accounts: Sequence[str] = (),
        join: bool = True,
        seen: Counter[str] | None = None,
    ) -> None:
        self.game, self.node = game, game.node
        self.accounts = list(accounts or self.node.accounts[:players])
        self.stranger = self.node.accounts[STRANGER]
        self.seen = Counter[str]() if seen is None else seen
        self.engine, self.board = ConquestMatch(game.call("matchRange")[1]), GAME.start
        self.hashes: dict[int, bytes] = {}
        self.history: list[Emitted] = []
        graph = row_of_lands(4 * players) if graph is None else graph
        terms = {"seed": SEED, "grain": 76, "players": players, "invited": list(invited), "clock": clock}
        self.call(self.accounts[0], "create", **terms, rematchOf=0, graph="0x" + graph.hex())
        for account in self.accounts[1:players] if join else ():
            self.call(account, "join")

    # ---- calls

    def call(self, sender: str, action: str, account: str = "", **arguments: Any) -> list[Emitted]:
        """Make a call in the next block, and return the events. The block comes at `due_time` or,
        by default, one second after the previous block.

        `account` is the player's account if the sender is a session key. Raises Reverted if the
        engine and the contract reject the call with the same error."""
        height, now = self._head()
        now = max(self.due_time, now + 1)
        block = CallBlock(height + 1, now, 0, self.hash_of)
        call = Call(account or sender, action, arguments, self.match, self.match + 1, block)
        try:
            expected = self.engine.apply_call(call)
        except CustomError as revert:
            raise self._expect_revert(sender, call, Reverted(*revert.args)) from None
        self.node.rpc("evm_setNextBlockTimestamp", now)
        self.receipt = self.game.send(sender, action, *self._values(action, arguments))
        assert self.receipt.height == height + 1
        self._follow(expected, self.receipt)
        return expected

    due_time = 0
    """The earliest time of the next block, in seconds since 1970. After this time, each block comes
    one second after the previous block."""

    def expect_revert(self, sender: str, action: str, **arguments: Any) -> Reverted:
        """Make a call that both the engine and the contract must reject with the same error. Return
        this error."""
        with pytest.raises(Reverted) as error:
            self.call(sender, action, **arguments)
        return error.value

    def _expect_revert(self, sender: str, call: Call, expected: Reverted) -> Reverted:
        data = self.game.data(call.action, *self._values(call.action, call.arguments))
        transaction = {"from": sender, "to": self.game.address, "data": data}
        block = {"number": hex(call.block.height), "time": hex(call.block.time)}
        (answer,) = self.node.raw_batch([("eth_call", transaction, "latest", {}, block)])
        assert "error" in answer, f"the engine rejects the call ({expected!r}), but the contract accepts it"
        assert self.game.decode_error(answer["error"].get("data") or "0x") == expected
        self.seen[expected.name] += 1
        return expected

    def _values(self, action: str, arguments: Any) -> list[Any]:
        """Return the function's arguments in the order of the ABI."""
        found: list[Any] = []
        for item in self.game._functions[action]["inputs"]:
            value = self.match if item["name"] == "matchId" else arguments[item["name"]]
            is_bytes = item["type"].startswith("bytes") and isinstance(value, str)
            found.append(bytes.fromhex(value[2:]) if is_bytes else value)
        return found

    def _follow(self, expected: list[Emitted], receipt: ContractReceipt) -> None:
        assert [(event.name, event.args) for event in receipt.events] == expected
        assert {event.match for event in receipt.events} == {self.match}
        self.history += expected
        last = self.engine.seq
        assert [event.seq for event in receipt.events] == list(range(last - len(expected) + 1, last + 1))
        for event in receipt.events:
            self.seen[event.name] += 1
            if event.name == "ItemCollected":
                self.seen[f"item {event.args['item']}"] += 1
            elif event.name in ("PlayerOut", "MatchEnded"):
                self.seen[f"{event.name} {event.args['reason']}"] += 1
        self._fold(receipt.events)
        self.compare()

    def _fold(self, events: list[Event]) -> None:
        self.board = fold(GAME, self.board, events)

    # ---- the mover's calls

    @property
    def match(self) -> int:
        return self.engine.number

    @property
    def state(self) -> ConquestState:
        assert self.engine.state is not None
        return self.engine.state

    @property
    def mover(self) -> str:
        return self.state.accounts[self.state.mover]

    def settled(self) -> ConquestState:
        """Return the state after the pending draw, as if it were settled now. The chain doesn't
        change."""
        state = self.state.copy()
        if state.draw != NO_DRAW:
            carry_out(state, self.hash_of(state.anchor + 1))
        return state

    def named(self) -> dict[str, int]:
        """Return the ply and the trail (the hash of the match's history) that the next command must
        contain. The command first settles a pending draw, so return the values after this draw."""
        state = self.state
        trail = state.trail
        if state.draw != NO_DRAW:
            trail = trail_after_draw(trail, self.hash_of(state.anchor + 1))
        return {"ply": state.ply, "trail": trail}

    def send_command(self, action: str, **arguments: Any) -> list[Emitted]:
        """Wait until the mover can send the next command. Then send this command for the mover."""
        self.wait()
        mover = self.settled().mover
        return self.call(self.accounts[mover], action, **self.named(), **arguments)

    def settle(self, wanted: Callable[[Chance], bool] | None = None) -> list[Emitted]:
        """Settle the pending draw as a stranger. If `wanted` is given, first plant a seed for which
        it returns True."""
        self.wait(wanted)
        return self.call(self.stranger, "settle")

    def begin(self) -> None:
        """Settle the random draw that decides the first player, and give each player the lowest
        free land as a capital. Then start the first turn, in which no item appears."""
        self.settle()
        while PHASES[self.state.phase] == "capital":
            self.send_command("chooseCapital", land=self.state.lands(NONE)[0])
        self.settle(lambda chance: chance.number(0) % 100 >= 12)

    # ---- blocks

    def wait(self, wanted: Callable[[Chance], bool] | None = None, salt: int = 0) -> None:
        """Mine blocks until the pending draw can be settled.

        If `wanted` is given, also plant a seed for which it returns True. `salt` selects one of
        these seeds."""
        state = self.state
        if state.draw == NO_DRAW:
            return
        missing = state.anchor + (2 if wanted else 1) - self._head()[0]
        if missing > 0:
            self.node.mine(missing)
        if wanted:
            self.set_block_hash(state.anchor + 1, seed_for(state, wanted, salt))

    def set_block_hash(self, height: int, seed: bytes) -> None:
        """Replace a block's hash in the history contract. The game asks this contract before it
        uses BLOCKHASH.

        The following block must already exist, because it writes the true hash to the history
        contract."""
        self.node.rpc("anvil_setStorageAt", eip2935.ADDRESS, f"0x{height % eip2935.WINDOW:064x}", "0x" + seed.hex())
        self.hashes[height] = seed

    def late(self, seconds: int = 0) -> None:
        """Give the next call a time that is `seconds` seconds after the deadline."""
        self.due_time = self.engine.deadline + seconds

    def hash_of(self, height: int) -> bytes:
        """Return a block's hash as the contract sees it."""
        if height not in self.hashes:
            found = self.node.rpc("eth_getBlockByNumber", hex(height), False)["hash"]
            self.hashes[height] = bytes.fromhex(found[2:])
        return self.hashes[height]

    @property
    def now(self) -> int:
        """The time of the newest block, in seconds since 1970."""
        return self._head()[1]

    def _head(self) -> tuple[int, int]:
        head = self.node.rpc("eth_getBlockByNumber", "latest", False)
        return int(head["number"], 16), int(head["timestamp"], 16)

    # ---- comparison

    @property
    def view(self) -> Json:
        """The contract's board, as a dictionary. Its keys are the names of the struct's fields."""
        (output,) = self.game._functions["board"]["outputs"]
        return _object(output["components"], self.game.call("board", self.match))

    def compare(self) -> None:
        """Check that the contract's view, the engine's state and the index's board all agree."""
        view = self.view
        expected = view_of(self.engine)
        assert view == expected, _difference(view, expected)
        assert GAME.from_contract is not None
        assert GAME.from_board is not None
        seen, folded = GAME.from_contract(view), GAME.from_board(self.board)
        assert seen == folded, _difference(seen, folded)
        if self.engine.status == PLAYING:
            again = match_of(self.board, self.match)
            assert again.state is not None
            again.seq, again.state.height, again.state.anchor = self.engine.seq, self.state.height, self.state.anchor
            assert again == self.engine


def view_of(match: ConquestMatch) -> Json:
    """Return the board that the contract should return for the engine's state of this match."""
    playing = match.status == PLAYING
    seats = len(match.accounts)
    found: Json = {
        **{"seq": match.seq, "status": match.status, "reason": match.reason, "clock": match.clock},
        **{"deadline": match.deadline, "seats": seats, "players": match.accounts, "invited": match.invited},
        **{"ply": 0, "trail": 0, "first": NONE, "mover": NONE, "phase": NONE, "draw": 0, "drawBlock": 0, "used": 0},
        **{"attacked": False, "built": False, "hadHero": 0, "capitals": [NONE] * seats, "heroes": [NONE] * seats},
        **{"stored": [0] * seats, "forced": [0] * seats, "owned": [0] * seats, "ports": 0, "items": [], "pairs": "0x"},
        "alive": sum((account != NOBODY) << seat for seat, account in enumerate(match.accounts)),
        "soldiers": list(match.graph[-match.graph[0] :]),
    }
    if match.state is None:
        return found
    state = match.state
    found |= {
        **{"ply": state.ply, "trail": state.trail, "first": state.first, "alive": state.alive},
        **{"hadHero": state.had_hero, "capitals": state.capitals, "heroes": state.heroes, "stored": state.stored},
        **{"forced": state.forced, "ports": state.ports, "soldiers": state.soldiers},
        "owned": [sum(1 << land for land in state.lands(seat)) for seat in range(seats)],
        "items": [{"land": land, "fat": one.fat, "turns": one.turns} for land, one in sorted(state.items.items())],
    }
    if not playing:
        return found
    pairs = bytes(land for pair in state.pairs for land in pair) if state.draw == BATTLE else b""
    return found | {
        **{"mover": state.mover, "phase": state.phase, "draw": state.draw, "drawBlock": state.anchor},
        **{"used": sum(1 << item - 1 for item in state.used), "attacked": state.attacked, "built": state.built},
        "pairs": "0x" + (bytes([state.collecting]) if state.draw == COLLECT else pairs).hex(),
    }


def _object(components: list[Json], values: Sequence[Any]) -> Json:
    return {one["name"]: _value(one, value) for one, value in zip(components, values, strict=True)}


def _value(kind: Json, value: Any) -> Any:
    if kind["type"] == "tuple":
        return _object(kind["components"], value)
    if kind["type"].endswith("[]"):
        return [_value({**kind, "type": kind["type"][:-2]}, one) for one in value]
    if kind["type"] == "address":
        return checksum(value)
    return "0x" + value.hex() if isinstance(value, bytes) else value


def _difference(found: Json, expected: Json) -> str:
    keys = [key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)]
    return "; ".join(f"{key}: {found.get(key)!r}, not {expected.get(key)!r}" for key in sorted(keys))


def random_accounts(node: Node, random: Random, players: int) -> list[str]:
    return random.sample(node.accounts[:STRANGER], players)
