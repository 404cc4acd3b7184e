"""An account that plays matches. After each change to a board, it chooses its move from the new
board alone. It keeps no memory of earlier boards."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eth_abi.exceptions import DecodingError

from bots.opponent import Choice, seat_of
from bots.registry import Opponent
from bots.service.boards import BoardEntry, BoardFeed
from bots.service.calls import BadChoice, ContractCall, GameCalls
from bots.service.funds import MATCH_GAS, Funds, NoFunds
from bots.service.secret_files import SecretFiles
from bots.service.thinking import ChoiceFailed, ThinkingPool
from bots.service.urgency import UrgentFirst, urgency
from contracts.rpc_errors import NoResponse, RpcError
from indexer.games import GAMES
from indexer.model import Json
from transactions.journal import JournalError
from transactions.manager import TransactionManager
from transactions.model import Tx
from transactions.node_errors import classify
from transactions.revert_reason import REVERTED

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

log = logging.getLogger("chainboard.bots")

MAX_FAULTS = 3
"""The number of faults on one board after which the player gives up the match. It is also the
maximum number of times that a move is sent if it fails in its block."""
RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
"""The pauses, in seconds, before a player considers an unchanged board again."""
BLOCK_SECONDS = 0.5
"""The seconds between two checks while a match waits for a block."""
MOVES_AT_ONCE = 4
"""The maximum number of matches in which an account prepares a move at the same time. Each move
needs several answers from the node, and the account's moves are sent one after the other."""
MIN_STAKE_CLOCK, MIN_STAKE_SECONDS = 300, 3_600
"""With a stake, the minimum for the clock and for the time in which a deposit streams back, in
seconds. An account can answer only in the block after its opponent's move, but the opponent can
answer in the account's block. If the deposit lasted for only a few blocks, every such opponent
would win the stake by time."""
RETRYABLE = (OSError, NoFunds, NoResponse, RpcError, JournalError)


class NoMove(Exception):
    """The player can't send a move now. The message explains why. `is_fault` is True if the
    computer player's program caused the problem. `is_stale` is True if the contract has emitted
    events that the gateway's board doesn't include yet."""

    def __init__(self, reason: str, is_fault: bool = False, is_stale: bool = False) -> None:
        super().__init__(reason)
        self.is_fault, self.is_stale = is_fault, is_stale


@dataclass(slots=True)
class SharedState:
    """The objects that all players in a service share. `others` returns the participants in a match
    who are not this service's computer players. `is_computer_player` returns True if an account
    belongs to this service."""

    feed: BoardFeed
    pool: ThinkingPool
    secrets: SecretFiles
    funds: Funds
    calls: Mapping[str, GameCalls]
    chain: Callable[[], str]
    others: Callable[[Json], Sequence[str]]
    is_computer_player: Callable[[str], bool] = lambda _account: True


class Player:
    """One account of a computer player. It can play several matches at the same time."""

    def __init__(
        self, shared: SharedState, game: str, opponent: Opponent, key: LocalAccount, manager: TransactionManager
    ) -> None:
        self._shared, self.game, self.opponent, self._key, self.manager = shared, game, opponent, key, manager
        self._turns = UrgentFirst(MOVES_AT_ONCE)
        self.matches = 1
        """The number of this account's matches, including a match that it is about to join."""

    @property
    def address(self) -> str:
        return self.manager.address

    async def play(self, entry: BoardEntry, last: Tx | None = None) -> None:
        """Play a match until the account has nothing left to do in it. `last` is the last
        transaction that the account has sent in this match."""
        faults, tries, seen = 0, 0, ""
        while not entry.missing:
            changed = entry.changed
            pause: float | None = RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)]
            tries += 1
            try:
                # Wait for a pending transaction, because the board doesn't include it yet.
                # Otherwise, the account would make the same move twice.
                async with self._turns.turn(urgency(entry.board)):
                    if last is None or await self._is_settled(last):
                        changed = entry.changed  # the board might have changed in the meantime
                        if entry.hash != seen:
                            faults, tries, seen, pause = 0, 1, entry.hash, RETRY_SECONDS[0]
                        last = await self._move(entry, faults >= MAX_FAULTS and self._may_concede)
                        if last is None and is_over(entry.board):
                            return
                        pause = pause if last else None
            except NoMove as reason:
                faults += reason.is_fault
                if reason.is_stale:
                    log.warning("%s (%s): the gateway is behind the chain: %s", entry.name, self.opponent.name, reason)
                elif faults <= MAX_FAULTS:
                    log.warning("%s at event %d (%s): %s", entry.name, entry.seq, self.opponent.name, reason)
                if reason.is_fault and faults == MAX_FAULTS:
                    log.warning("%s (%s): %s", entry.name, self.opponent.name, self._describe_consequence())
                if is_over(entry.board):
                    return
            except _RetryLater as later:
                pause, tries = later.seconds, 0
            except RETRYABLE as error:
                log.warning("%s (%s) can't move now: %s", entry.name, self.opponent.name, error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await changed.wait()

    @property
    def _may_concede(self) -> bool:
        return self.opponent.opponents.concede is not None

    def _describe_consequence(self) -> str:
        if self._may_concede:
            return "it gives up the match"
        return f"it has no `concede`, so it can't give up the match. It retries every {RETRY_SECONDS[-1]:g} seconds"

    async def join(self, entry: BoardEntry) -> Tx:
        """Join the match and return the transaction that joins it. Raises NoMove, NoFunds,
        NoResponse, RpcError, OSError and JournalError."""
        sent = await self._move(entry, False)
        if sent is None:
            raise NoMove("it has no move to make in this match")
        return sent

    async def _is_settled(self, tx: Tx) -> bool:
        if not (await self.manager.get(tx)).settled:
            await self.manager.check()
        return (await self.manager.get(tx)).settled

    async def _move(self, entry: BoardEntry, concedes: bool) -> Tx | None:
        """Choose and send a move for this board, but only once. Return None if there is no move to
        send. `concedes` is True to give up the match."""
        board, name, hash = entry.board, entry.name, entry.hash
        seat = seat_of(board, self.address)
        is_seated = self.address in board["players"]
        if not is_seated and not self.may_stake(board):
            has_decline = self._shared.calls[self.game].has("decline")
            concedes, choice = False, Choice("decline") if has_decline else None
        elif is_seated and not is_over(board) and not self._shared.others(board):
            choice = self._choice_without_visitors(board, seat)
        elif concedes:
            choice = self.opponent.opponents.conceded(board, seat) if is_seated else None
        else:
            choice = await self._choice(name, board, hash, seat)
        if choice is None:
            return None
        self._require_pause(entry, choice)
        choice = self._with_secret(name, board, hash, seat, choice)
        joins = not is_seated and choice.action != "decline"
        try:
            call = self._shared.calls[self.game].encode(match_number(name), board, choice, joins)
        except BadChoice as bad:
            raise NoMove(str(bad), is_fault=True) from bad
        if call.value > self._shared.funds.source.highest_stake:
            raise NoMove(f"the stake of {call.value} wei is above the computer player's limit")
        secrets = self.opponent.opponents.secrets
        # reveal a secret only if the contract's own view confirms that the match has ended
        if secrets and choice.action in secrets.revealed_by and not await self._matches_contract(entry):
            raise NoMove("the contract's view differs from this board, so the computer player reveals nothing")
        await self._shared.funds.ensure(self.address, call.value, MATCH_GAS * self.matches if joins else call.gas)
        key = f"{name}:{entry.seq}:{hash}{':concede' if concedes else ''}"
        tx = await self._submit(call, key)
        if tx.state == "refused" and classify(tx.reason) == "funds":
            self._shared.funds.forget(self.address)
            raise NoFunds("opponents-broke.account", why=tx.reason)
        if tx.state == "refused":
            is_stale = tx.reason.startswith(REVERTED) and not await self._is_current(entry)
            is_fault = tx.reason.startswith(REVERTED) and not is_stale
            raise NoMove(f"{choice.action} was rejected: {tx.reason}", is_fault, is_stale)
        return tx

    def _choice_without_visitors(self, board: Json, seat: int) -> Choice | None:
        """Return the move that gives up a match in which only computer players are left, because
        further moves would only cost ether. Return None if no visitor ever took part."""
        if board["status"] != "playing" or all(map(self._shared.is_computer_player, board["players"])):
            return None
        return self.opponent.opponents.conceded(board, seat)

    async def _submit(self, call: ContractCall, key: str) -> Tx:
        """Send a call, but only once per key. If the transaction fails in its block, send it again,
        because a reorg might have put it before the event that the call responds to."""
        for attempt in range(MAX_FAULTS):
            again = f":{attempt}" if attempt else ""
            tx = await self.manager.submit(call.to, call.data, call.value, call.gas, key + again)
            if tx.state != "failed":
                return tx
        raise NoMove(f"the move failed in {MAX_FAULTS} blocks: {tx.reason}", is_fault=True)

    async def _matches_contract(self, entry: BoardEntry) -> bool:
        """Return True if the gateway's board agrees with the contract's own view, which is read
        from our node."""
        calls, game = self._shared.calls[self.game], GAMES[self.game]
        if game.from_contract is None or game.from_board is None:
            return await self._is_current(entry)
        found = await self._view(entry, "board")
        try:
            return game.from_contract(calls.decode_view("board", found)) == game.from_board(entry.board)
        except (DecodingError, ValueError, KeyError, TypeError):
            return False

    async def _is_current(self, entry: BoardEntry) -> bool:
        """Return True if the contract has emitted as many events as the gateway's board has."""
        return int(await self._view(entry, "seqOf"), 16) == entry.seq

    async def _view(self, entry: BoardEntry, name: str) -> str:
        call = self._shared.calls[self.game].view(match_number(entry.name), name)
        return str(await self._shared.funds.request("eth_call", (call, "latest")))

    async def _choice(self, name: str, board: Json, hash: str, seat: int) -> Choice | None:
        """Return the move that the computer player chooses. Its random numbers depend only on the
        account's secret key and the board, so nobody else can predict them."""
        seed = hashlib.sha256(bytes(self._key.key) + f"{name}:{hash}".encode()).hexdigest()
        try:
            return await self._shared.pool.choose(self.game, self.opponent.name, board, seat, seed)
        except ChoiceFailed as failure:
            raise NoMove(str(failure), is_fault=True) from failure

    def may_stake(self, board: Json) -> bool:
        """Return True if the account may deposit this match's stake."""
        stake, rate = int(board.get("stake", 0)), int(board.get("rate", 0))
        is_slow = int(board.get("clock", 0)) >= MIN_STAKE_CLOCK and stake >= rate * MIN_STAKE_SECONDS
        return not stake or (is_slow and "token" not in board and stake <= self._shared.funds.source.highest_stake)

    def _with_secret(self, name: str, board: Json, hash: str, seat: int, choice: Choice) -> Choice:
        secrets = self.opponent.opponents.secrets
        if secrets is None or choice.action == "decline":
            return choice
        secret = self._shared.secrets.load_or_draw(secrets, self._shared.chain(), self.address, name, board, hash, seat)
        if secret is None:
            raise NoMove("its secret for this match was lost, or another program that uses its account drew the secret")
        return secrets.complete(board, seat, choice, secret)

    def _require_pause(self, entry: BoardEntry, choice: Choice) -> None:
        """Check that the choice can be sent now. Raises _RetryLater while the other players still
        have time to move or are away, or while the match waits for a block."""
        passed = GAMES[self.game].waits_for_block_after(entry.board)
        if passed is not None and self._shared.feed.height <= passed:
            raise _RetryLater(BLOCK_SECONDS)
        pause = self.opponent.opponents.pauses.get(choice.action, 0.0)
        if pause and (left := entry.pause_left(pause)) != 0:
            raise _RetryLater(left)


class _RetryLater(Exception):
    """The player must consider the board again after `seconds`. If `seconds` is None, the player
    waits for the next change."""

    def __init__(self, seconds: float | None) -> None:
        super().__init__()
        self.seconds = seconds


def match_number(name: str) -> int:
    return int(name.rpartition("/")[2])


def is_over(board: Json) -> bool:
    return board.get("status") in ("none", "finished", "cancelled")
