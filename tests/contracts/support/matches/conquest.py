"""A match of Conquest on a chain, beside the engine and the folded board: after every call all three agree."""

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
from indexer.rules.conquest_state.chance import GONE, Chance, trail_after_draw
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.match import ConquestMatch
from indexer.rules.conquest_state.refusal import Refusal
from indexer.rules.conquest_state.state import BATTLE, COLLECT, NO_DRAW, NONE, ConquestState
from tests.contracts.support import eip2935
from tests.contracts.support.contract import Contract, ContractReceipt, Refused
from tests.contracts.support.node import Node
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import seed_for

OPEN, PLAYING, FINISHED, CANCELLED = 1, 2, 3, 4
NOBODY = "0x" + 40 * "0"
CLOCK = 3_600
SEED = "0x" + 64 * "5"
STRANGER = 130
"""The account of Anvil's that sits at no table."""


class ConquestTable:
    """A match of Anvil's first accounts, or others; all have joined, unless `join` says no. `seen`: events, refusals
    and items, counted."""

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
        self.keeps_hash: Callable[[int], bool] = lambda _height: True
        graph = row_of_lands(4 * players) if graph is None else graph
        terms = {"seed": SEED, "grain": 76, "players": players, "invited": list(invited), "clock": clock}
        self.call(self.accounts[0], "create", **terms, rematchOf=0, graph="0x" + graph.hex())
        for account in self.accounts[1:players] if join else ():
            self.call(account, "join")

    # ---- calls

    def call(
        self, sender: str, action: str, account: str = "", through: Contract | None = None, **arguments: Any
    ) -> list[Emitted]:
        """In the next block, a second later or at the time that was set. Raises Refused when engine and contract both
        refuse, with the same error; else what they emit, after which they agree. `account`: whose session key sends, or
        who is the contract that it goes through."""
        height, now = self._head()
        now = max(self.due_time, now + 1)
        block = CallBlock(height + 1, now, 0, self.hash_of)
        call = Call(account or sender, action, arguments, self.match, self.match + 1, block)
        try:
            foretold = self.engine.judge(call)
        except Refusal as refusal:
            raise self._refused(sender, call, Refused(*refusal.args)) from None
        self.node.rpc("evm_setNextBlockTimestamp", now)
        values = self._values(action, arguments)
        if through is None:
            self.receipt = self.game.send(sender, action, *values)
        else:
            data = bytes.fromhex(self.game.data(action, *values)[2:])
            raw = self.node.send(sender, through.address, through.data("act", self.game.address, data))
            self.receipt = self.game.receipt(raw)
        assert self.receipt.height == height + 1
        self._follow(foretold, self.receipt)
        return foretold

    due_time = 0
    """The time of the next block, when that is later than a second from now."""

    def refused(self, sender: str, action: str, **arguments: Any) -> Refused:
        """Why both refuse it."""
        with pytest.raises(Refused) as error:
            self.call(sender, action, **arguments)
        return error.value

    def _refused(self, sender: str, call: Call, foretold: Refused) -> Refused:
        data = self.game.data(call.action, *self._values(call.action, call.arguments))
        transaction = {"from": sender, "to": self.game.address, "data": data}
        block = {"number": hex(call.block.height), "time": hex(call.block.time)}
        (answer,) = self.node.raw_batch([("eth_call", transaction, "latest", {}, block)])
        assert "error" in answer, f"the engine refuses: {foretold!r}; the contract does not"
        assert self.game.refusal(answer["error"].get("data") or "0x") == foretold
        self.seen[foretold.name] += 1
        return foretold

    def _values(self, action: str, arguments: Any) -> list[Any]:
        """In the order of the ABI."""
        found: list[Any] = []
        for item in self.game._functions[action]["inputs"]:
            value = self.match if item["name"] == "matchId" else arguments[item["name"]]
            is_bytes = item["type"].startswith("bytes") and isinstance(value, str)
            found.append(bytes.fromhex(value[2:]) if is_bytes else value)
        return found

    def _follow(self, foretold: list[Emitted], receipt: ContractReceipt) -> None:
        assert [(event.name, event.args) for event in receipt.events] == foretold
        assert {event.match for event in receipt.events} == {self.match}
        self.history += foretold
        last = self.engine.seq
        assert [event.seq for event in receipt.events] == list(range(last - len(foretold) + 1, last + 1))
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

    # ---- the mover's

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
        """The state after the open draw, if there is one and its block; nothing happens on the chain."""
        state = self.state.copy()
        if state.draw != NO_DRAW:
            carry_out(state, self.hash_of(state.anchor + 1))
        return state

    def named(self) -> dict[str, int]:
        """Ply and trail of the next command: after the open draw."""
        state = self.state
        trail = state.trail
        if state.draw != NO_DRAW:
            trail = trail_after_draw(trail, self.hash_of(state.anchor + 1))
        return {"ply": state.ply, "trail": trail}

    def give(self, action: str, **arguments: Any) -> list[Emitted]:
        """The mover's next command, as soon as it is possible."""
        self.wait()
        mover = self.settled().mover
        return self.call(self.accounts[mover], action, **self.named(), **arguments)

    def settle(self, wanted: Callable[[Chance], bool] | None = None) -> list[Emitted]:
        """By a stranger; with a seed that decides as is wanted."""
        self.wait(wanted)
        return self.call(self.stranger, "settle")

    def begin(self) -> None:
        """Draws who is first; each takes the first free land as capital; the first turn's draw is carried out."""
        self.settle()
        while PHASES[self.state.phase] == "capital":
            self.give("chooseCapital", land=self.state.lands(NONE)[0])
        self.settle(lambda chance: chance.number(0) % 100 >= 12)

    # ---- blocks

    def wait(self, wanted: Callable[[Chance], bool] | None = None, salt: int = 0) -> None:
        """Until the open draw can be carried out. `wanted`: with a seed that decides so, one of many by `salt`."""
        state = self.state
        if state.draw == NO_DRAW:
            return
        missing = state.anchor + (2 if wanted else 1) - self._head()[0]
        if missing > 0:
            self.node.mine(missing)
        if wanted:
            self.plant(state.anchor + 1, seed_for(state, wanted, salt))

    def plant(self, height: int, seed: bytes) -> None:
        """The chain remembers another hash of a block, where the contract looks first. The block after it must be
        there: it writes the true one."""
        self.node.rpc("anvil_setStorageAt", eip2935.ADDRESS, f"0x{height % eip2935.REACH:064x}", "0x" + seed.hex())
        self.hashes[height] = seed

    def late(self, seconds: int = 0) -> None:
        """The next call is when the clock has run out, and so many seconds after that."""
        self.due_time = self.engine.deadline + seconds

    def hash_of(self, height: int) -> bytes:
        """As the contract learns it: zero when nobody remembers it, by `keeps_hash`."""
        if not self.keeps_hash(height):
            return GONE
        if height not in self.hashes:
            found = self.node.rpc("eth_getBlockByNumber", hex(height), False)["hash"]
            self.hashes[height] = bytes.fromhex(found[2:])
        return self.hashes[height]

    @property
    def now(self) -> int:
        """The time of the newest block."""
        return self._head()[1]

    def _head(self) -> tuple[int, int]:
        head = self.node.rpc("eth_getBlockByNumber", "latest", False)
        return int(head["number"], 16), int(head["timestamp"], 16)

    # ---- comparing

    @property
    def view(self) -> Json:
        """The contract's, by the names of its struct."""
        (output,) = self.game._functions["board"]["outputs"]
        return _object(output["components"], self.game.call("board", self.match))

    def compare(self) -> None:
        """Contract, engine and folded board."""
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
    """What the contract shows of the engine's match."""
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
