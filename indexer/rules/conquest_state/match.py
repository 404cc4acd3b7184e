"""A match of Conquest that behaves like the contract, with seats, a clock and all checks of
calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.rules.call import Call, CallBlock, Emitted, IllegalMove
from indexer.rules.conquest_state import commands, lobby
from indexer.rules.conquest_state.chance import NO_HASH
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.state import FIRST, NO_DRAW, ConquestState

NO_MATCH, OPEN, PLAYING, FINISHED, CANCELLED = range(5)
"""The statuses of a match, numbered as in IMatch.sol."""
HISTORY_SERVE_WINDOW = 8_191
"""The number of recent blocks whose hashes a contract can read (EIP-2935)."""


@dataclass(slots=True)
class ConquestMatch:
    """A match. `accounts` and `invited`: the address for each seat; the zero address stands for
    nobody. `state`: the map and the players' positions, or None before the match starts."""

    number: int
    status: int = NO_MATCH
    reason: int = 0
    clock: int = 0
    deadline: int = 0
    rematch_of: int = 0
    seq: int = 0
    seed: str = ""
    grain: int = 0
    graph: bytes = b""
    accounts: list[str] = field(default_factory=list)
    invited: list[str] = field(default_factory=list)
    state: ConquestState | None = None

    def apply_call(self, call: Call) -> list[Emitted]:
        """Apply a call and return the events that the contract emits. If the contract would reject
        the call, raises IllegalMove and changes nothing."""
        if call.action not in ENTRYPOINTS:
            raise IllegalMove(f"there is no action {str(call.action)[:60]!r}; the actions are {', '.join(ENTRYPOINTS)}")
        after = self.copy()
        if after.state is not None:
            after.state.events, after.state.height = [], call.block.height
        found = ENTRYPOINTS[call.action](after, call) or []
        if after.state is not None:
            found, after.state.events = [*found, *after.state.events], []
            if after.state.is_over:
                after.status, after.reason, after.deadline = FINISHED, after.state.reason, 0
        after.seq += len(found)
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(after, name))
        return found

    def copy(self) -> ConquestMatch:
        return replace(self, accounts=[*self.accounts], state=self.state.copy() if self.state else None)

    # ---- before the match starts

    def create(self, call: Call) -> list[Emitted]:
        if self.status != NO_MATCH:
            raise CustomError("WrongStatus", self.number, self.status, NO_MATCH)
        self.seed, self.grain, players = "0x" + call.word("seed").hex(), call.uint("grain", 8), call.uint("players", 8)
        self.clock, self.rematch_of = call.uint("clock", 24), call.uint("rematchOf", 48)
        invited, self.graph = lobby.accounts_invited(call), lobby.raw(call, "graph")
        lobby.require_terms(call.account, players, invited, self.grain, self.clock, self.graph)
        self.status, self.accounts = OPEN, [call.account, *[NOBODY] * (players - 1)]
        self.invited = [NOBODY, *invited, *[NOBODY] * (players - 1 - len(invited))]
        reserved = next((one for one in invited if one != NOBODY), NOBODY)
        created = {"creator": call.account, "opponent": reserved, "clock": self.clock, "rematchOf": self.rematch_of}
        land_map = {"seed": self.seed, "grain": self.grain, "players": players, "graph": "0x" + self.graph.hex()}
        joined = {"player": call.account, "seat": 0}
        found: list[Emitted] = [("MatchCreated", created), ("PlayerJoined", joined), ("Map", land_map)]
        return [*found, ("Invited", {"accounts": invited})] if invited else found

    def join(self, call: Call) -> list[Emitted]:
        self._require_status(OPEN)
        seat = lobby.free_seat(self.number, self.accounts, self.invited, call.account)
        self.accounts[seat] = call.account
        joined: Emitted = ("PlayerJoined", {"player": call.account, "seat": seat})
        if NOBODY in self.accounts:
            return [joined]
        self.status = PLAYING
        graph = LandGraph.read(self.graph)
        self.state = ConquestState.begun(graph, self.number, self.accounts, call.block.height)
        self._restart_clock(call.block)
        return [joined, ("MatchStarted", {})]

    def leave(self, call: Call) -> list[Emitted]:
        """Leave the match before it starts. If the creator leaves, the match is cancelled."""
        self._require_status(OPEN)
        seat = self._seat_of(call.account)
        self.accounts[seat] = NOBODY
        found: list[Emitted] = [("PlayerLeft", {"player": call.account, "seat": seat})]
        if seat:
            return found
        self.status, self.reason = CANCELLED, REASONS.index("cancelled")
        return [*found, ("MatchEnded", {"winner": NOBODY, "reason": self.reason})]

    # ---- during the match

    def command(self, call: Call, execute: Callable[[ConquestState], None]) -> None:
        """If the match waits for a random result (the open draw), decide it first. Then carry out
        the command `execute` of the player to move. The call's `ply` and `trail` must be those
        after the draw."""
        state, (ply, trail) = self._require_playing(), (call.uint("ply", 32), call.uint("trail", 32))
        if state.draw == FIRST:
            _require_ply(state, ply)
            self._carry_out(state, call.block)
        seat = self._seat_of(call.account)
        _require_ply(state, ply)
        if seat != state.mover:
            raise CustomError("NotYourTurn", self.number, call.account, self.accounts[state.mover])
        if state.draw != NO_DRAW:
            self._carry_out(state, call.block)
            if state.is_over:
                raise CustomError("WrongStatus", self.number, FINISHED, PLAYING)
        if trail != state.trail:
            raise CustomError("OtherPosition", state.trail, trail)
        execute(state)
        self._restart_clock(call.block)

    def settle(self, call: Call) -> None:
        """Decide the random result for which the match waits. Any account can call this."""
        state = self._require_playing()
        if state.draw == NO_DRAW:
            raise CustomError("NothingToSettle")
        self._carry_out(state, call.block)

    def claim_timeout(self, call: Call) -> None:
        """Pass for the player to move, whose clock has run out. Any account can call this."""
        state = self._require_playing()
        if call.block.time < self.deadline:
            raise CustomError("NotExpired", call.block.time, self.deadline)
        if state.draw != NO_DRAW:
            self._carry_out(state, call.block)
        if not state.is_over:
            commands.forced_pass(state)
            self._restart_clock(call.block)

    def _carry_out(self, state: ConquestState, block: CallBlock) -> None:
        decides = state.anchor + 1
        if block.height <= decides:
            raise CustomError("TooSoon", block.height, decides + 1)
        carry_out(state, block.hash_of(decides) if block.height - decides <= HISTORY_SERVE_WINDOW else NO_HASH)

    def _restart_clock(self, block: CallBlock) -> None:
        self.deadline = block.time + self.clock

    # ---- checks

    def _require_playing(self) -> ConquestState:
        self._require_status(PLAYING)
        assert self.state is not None
        return self.state

    def _require_status(self, status: int) -> None:
        if self.status == NO_MATCH:
            raise CustomError("NoSuchMatch", self.number)
        if self.status != status:
            raise CustomError("WrongStatus", self.number, self.status, status)

    def _seat_of(self, account: str) -> int:
        if account not in self.accounts:
            raise CustomError("NotAPlayer", self.number, account)
        return self.accounts.index(account)


def _require_ply(state: ConquestState, ply: int) -> None:
    if ply != state.ply:
        raise CustomError("StaleMove", state.ply, ply)


Entrypoint: TypeAlias = Callable[[ConquestMatch, Call], list[Emitted] | None]
"""A function that applies a call to a match. It returns the events that `ConquestState` doesn't
record itself."""
Argument: TypeAlias = Callable[[Call], Any]


def _uint8(name: str) -> Argument:
    return lambda call: call.uint(name, 8)


def _command(execute: Callable[..., None], *arguments: Argument) -> Entrypoint:
    """Return an entrypoint for a command. `arguments`: functions that read the command's arguments
    from a call. They are called only after the other checks, as in the contract."""
    return lambda match, call: match.command(call, lambda state: execute(state, *(read(call) for read in arguments)))


ENTRYPOINTS: Mapping[str, Entrypoint] = {
    "create": ConquestMatch.create,
    "join": ConquestMatch.join,
    "leave": ConquestMatch.leave,
    "chooseCapital": _command(commands.choose_capital, _uint8("land")),
    "reinforce": _command(commands.reinforce, _uint8("land")),
    "buildPort": _command(commands.build_port, _uint8("land")),
    "pass": _command(commands.pass_on, lambda call: call.flag("phaseOnly")),
    "surrender": _command(commands.surrender),
    "useItem": _command(commands.use_item),
    "capture": _command(commands.capture, _uint8("from"), _uint8("to")),
    "attack": _command(commands.attack, lambda call: lobby.raw(call, "pairs")),
    "move": _command(commands.move, *map(_uint8, ("from", "to", "quarters")), lambda call: call.flag("hero")),
    "settle": ConquestMatch.settle,
    "claimTimeout": ConquestMatch.claim_timeout,
}
"""The functions of the contract. The key is the function's name."""
