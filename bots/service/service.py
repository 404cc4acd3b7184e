"""The service that plays with the computer players' accounts. It accepts invitations and
requests."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from bots.opponent import has_seat_for, invited
from bots.service.boards import BoardEntry, BoardFeed
from bots.service.calls import GameCalls
from bots.service.funds import Funds, NoFunds
from bots.service.gateway import PAGE, Gateway
from bots.service.messages import ComputerPlayer, Reason, RequestRejected, ServiceStatus
from bots.service.player import RETRYABLE, NoMove, Player, SharedState
from bots.service.secret_files import SecretFiles
from bots.service.thinking import ThinkingPool
from contracts.rpc_errors import NoResponse, RpcError
from indexer.gamekit.lifecycle import INVITED
from indexer.gamekit.names import BadName, parse_match
from indexer.games import GAMES
from indexer.model import Json
from indexer.wakeup import Wakeup
from transactions.journal import JournalError
from transactions.model import Tx

log = logging.getLogger("chainboard.bots")

ACTIVE_SECONDS = 60.0
"""A match that hasn't changed for this number of seconds doesn't count towards the limit. A player
is probably thinking, which costs the service nothing."""
MAX_PER_VISITOR = 3
"""The number of active matches that one account may play against computer players while at least
half of the service's limit is used."""
SCAN_SECONDS, FULL_SCAN_SECONDS = 5.0, 60.0
"""The seconds between two scans for matches that the lobby doesn't list, and between two scans that
read all of an account's matches."""
CHECK_SECONDS = 0.2
"""The minimum seconds between two checks of sent transactions, even if blocks arrive faster."""
MAX_MATCHES = 1_000
"""The maximum number of matches that a scan reads per account. It reads the newest."""
BOARD_SECONDS = 5.0


class OpponentsRunner:
    """Plays all matches at one gateway. `limit` is the maximum number of active matches. `allowed`
    contains the contracts that the accounts may call. If it is None, they may call all contracts
    that the gateway names. `on_head` is called at each new block."""

    def __init__(
        self,
        gateway: Gateway,
        pool: ThinkingPool,
        secrets: SecretFiles,
        funds: Funds,
        limit: int,
        allowed: Collection[str] | None = None,
        on_head: Callable[[], None] = lambda: None,
    ) -> None:
        self._gateway, self._limit, self._allowed = gateway, limit, allowed
        self._chain, self._notify_head = "", on_head
        self._why: Reason | None = None
        self._heads, self._scan_wakeup = Wakeup(), Wakeup()
        self.feed = BoardFeed(gateway.websocket_url, self._on_chain, self._on_head, self._on_lobby)
        self._change_expected_at = 0.0
        self._calls: dict[str, GameCalls] = {}
        self._players: dict[str, Player] = {}
        self.shared = SharedState(
            self.feed, pool, secrets, funds, self._calls, lambda: self._chain, self._others, self._players.__contains__
        )
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._joining: set[tuple[str, str]] = set()

    def add(self, player: Player) -> None:
        self._players[player.address] = player

    async def run(self) -> None:
        """Play with all accounts until cancelled."""
        async with asyncio.TaskGroup() as self._group:
            self._group.create_task(self.feed.run())
            self._group.create_task(self._check_transactions())
            self._group.create_task(self._scan())

    # ---- for gateways

    def opponents(self) -> Sequence[ComputerPlayer]:
        found: dict[tuple[str, str, int], tuple[str, ...]] = {}
        for player in self._players.values():
            strengths, name = player.opponent.opponents.strengths, player.opponent.strength
            key = (player.game, name, strengths.index(name) + 1 if name in strengths else 0)
            found[key] = (*found.get(key, ()), player.address)
        return [ComputerPlayer(*key, accounts) for key, accounts in found.items()]

    async def status(self) -> ServiceStatus:
        matches = len(self._playing())
        why = ("opponents-busy", {"limit": self._limit}) if matches >= self._limit else self._why
        return ServiceStatus(matches, self._limit, await self.shared.funds.source.spent(), why)

    async def request(self, match: str, name: str) -> str:
        """Take a seat at a gateway's request. See OpponentService.request."""
        game = match.partition("/")[0]
        players = [one for one in self._players.values() if one.game == game and one.opponent.strength == name]
        if not players:
            raise RequestRejected("unknown-opponent.name", name=name)
        try:
            return await self._take_seat(match, name, players)
        finally:
            self._release(match)

    async def _take_seat(self, match: str, name: str, players: Sequence[Player]) -> str:
        entry = await self._board(match)
        board = entry.board
        if board["status"] != "open":
            raise RequestRejected("seat-refused.not-open", match=match, status=board["status"])
        candidates = [one for one in players if has_seat_for(board, one.address)]
        if not candidates and not all(one.address in board["players"] for one in players):
            raise RequestRejected("seat-refused.reserved", match=match, players=", ".join(invited(board)))
        player = next((one for one in candidates if not self._has_seat(one, match, board)), None)
        if player is None:
            raise RequestRejected("seat-refused.several", name=name, match=match)
        if not player.may_stake(board):
            raise RequestRejected("seat-refused.stake", name=name)
        if len(self._playing()) >= self._limit:
            raise RequestRejected("opponents-busy", limit=self._limit)
        self._joining.add((match, player.address))
        player.matches = 1 + sum(address == player.address for _, address in self._tasks)
        try:
            tx = await player.join(entry)
        except NoFunds as error:
            self._why = error.reason
            raise
        except (NoMove, *RETRYABLE) as error:
            raise RequestRejected("seat-refused.trouble", name=name, why=str(error)) from error
        finally:
            self._joining.discard((match, player.address))
        self._why = None
        log.info("%s: %s joins with transaction %s", match, name, tx.hash)
        self._play(player, match, tx)
        return player.address

    def _has_seat(self, player: Player, match: str, board: Json) -> bool:
        """Return True if the player has a seat or is about to take one."""
        key = (match, player.address)
        return player.address in board["players"] or key in self._tasks or key in self._joining

    async def _board(self, match: str) -> BoardEntry:
        entry = self.feed.watch(match)
        try:
            async with asyncio.timeout(BOARD_SECONDS):
                await entry.wait_until_loaded()
        except TimeoutError:
            raise RequestRejected("opponents-away.server") from None
        if entry.missing:
            raise RequestRejected("seat-refused.no-match", match=match)
        return entry

    # ---- matches

    def _on_chain(self, chain: str) -> None:
        """If the gateway is now on a different chain, cancel the tasks of all matches, because the
        matches don't exist on the new chain."""
        if chain != self._chain:
            for task in self._tasks.values():
                task.cancel()
            self._calls.clear()
        self._chain = chain
        self._on_head()
        self._scan_wakeup.notify()

    def _on_head(self) -> None:
        self._request_scan()
        self._heads.notify()
        self._notify_head()

    def _request_scan(self) -> None:
        """Request a scan. The gateway can lag behind the chain, so `_scan` scans again until a scan
        starts at least SCAN_SECONDS after this call."""
        self._change_expected_at = asyncio.get_running_loop().time()

    def _on_lobby(self) -> None:
        for name, row in self.feed.lobby.items():
            self._accept_invitations(name, row)

    async def _scan(self) -> None:
        """Look for the accounts' matches, because the lobby might not list all of them. Read all
        matches at the start and sometimes later, otherwise only the newest. Skip a scan if nothing
        can have changed."""
        last = last_full = -FULL_SCAN_SECONDS
        while True:
            await self._scan_wakeup.wait(SCAN_SECONDS)
            now, complete_from = asyncio.get_running_loop().time(), self._change_expected_at + SCAN_SECONDS
            is_full = not self._calls or (now >= last_full + FULL_SCAN_SECONDS and last_full < complete_from)
            if not is_full and last >= complete_from:
                continue
            try:
                if not self._calls:
                    games = (await self._gateway.get("/games"))["games"]
                    for one in [game for game in games if game["slug"] in GAMES]:
                        self._calls[one["slug"]] = GameCalls(GAMES[one["slug"]], one, self._allowed)
                limit = MAX_MATCHES if is_full else PAGE
                for player in self._players.values():
                    await self._find_matches(player, limit)
                for game in {one.game for one in self._players.values() if INVITED in GAMES[one.game].reducers}:
                    async for row in self._gateway.pages("/matches", "matches", limit, game=game, status="open"):
                        self._accept_invitations(row["match"], row)
            except Exception as error:  # a faulty gateway must not stop the loop
                log.debug("can't query the gateway at the moment: %r", error)
            else:
                last, last_full = now, now if is_full else last_full

    async def _find_matches(self, player: Player, limit: int) -> None:
        path, mine = "/matches", {"game": player.game}
        async for row in self._gateway.pages(path, "matches", limit, opponent=player.address, status="open", **mine):
            self._accept(player, row["match"], row)
        ended = ("finished", "cancelled") if limit > PAGE else ()  # ended matches can still hold a deposit
        for status in ("playing", "open", *ended):
            async for row in self._gateway.pages(path, "matches", limit, player=player.address, status=status, **mine):
                if status not in ended or row.get("stake", "0") != "0":
                    self._play(player, row["match"])

    def _accept_invitations(self, match: str, row: Json) -> None:
        """Accept the invitations to our accounts in one row of the gateway's lists."""
        if row["status"] == "open":
            for account in {row.get("opponent", ""), *row.get("invited", {}).values()} - {*row["players"]}:
                if player := self._players.get(account):
                    self._accept(player, match, row)

    def _accept(self, player: Player, match: str, row: Json) -> None:
        """Accept an invitation, unless too many matches are active or the match's opener already
        plays enough matches. In these cases, a later scan finds the invitation again."""
        opener = row["players"][0] if row["players"] else ""
        active = len(self._playing())
        if active < self._limit // 2 or (active < self._limit and self._visitors()[opener] < MAX_PER_VISITOR):
            self._play(player, match)
        else:
            self._request_scan()

    def _visitors(self) -> Counter[str]:
        """Return a counter of the active matches of each account that isn't ours."""
        return Counter(player for entry in self._playing() for player in self._others(entry.board))

    def _others(self, board: Json) -> list[str]:
        """Return the accounts in a match that are still playing and aren't our computer players."""
        game = next((one for one in self._players.values() if one.address in board.get("players", {})), None)
        alive = game.opponent.opponents.is_alive if game else lambda _board, _account: True
        return [one for one in board.get("players", {}) if one not in self._players and alive(board, one)]

    def _play(self, player: Player, match: str, last: Tx | None = None) -> None:
        key = (match, player.address)
        if key in self._tasks or player.game not in self._calls or not _is_match(match, player.game):
            return
        self._tasks[key] = self._group.create_task(self._play_to_end(player, match, last))
        player.matches = sum(address == player.address for _, address in self._tasks)

    async def _play_to_end(self, player: Player, match: str, last: Tx | None) -> None:
        try:
            entry = self.feed.watch(match)
            await entry.wait_until_loaded()
            await player.play(entry, last)
        except Exception as error:  # other matches are unaffected
            log.error("%s (%s): unexpected error: %r", match, player.opponent.name, error)
        finally:
            del self._tasks[match, player.address]
            self._release(match)

    def _release(self, match: str) -> None:
        """Stop watching a match if none of our players plays in it or is joining it."""
        if not any(name == match for name, _ in (*self._tasks, *self._joining)):
            self.feed.unwatch(match)

    def _playing(self) -> list[BoardEntry]:
        """Return the boards of the active matches, which count towards the limit."""
        now = asyncio.get_running_loop().time()
        entries = [self.feed.entries[name] for name in {name for name, _ in self._tasks} if name in self.feed.entries]
        return [one for one in entries if now - one.changed_at < ACTIVE_SECONDS]

    # ---- transactions

    async def _check_transactions(self) -> None:
        while True:
            await self._heads.wait(SCAN_SECONDS)
            await asyncio.gather(*(self._check(player) for player in self._players.values()))
            await asyncio.sleep(CHECK_SECONDS)

    async def _check(self, player: Player) -> None:
        try:
            await player.manager.check()
        except (NoResponse, RpcError, JournalError) as error:
            log.debug("can't check the transactions of %s at the moment: %s", player.opponent.name, error)


def _is_match(name: str, game: str) -> bool:
    """Return True if a name from the gateway is a valid match name for this game."""
    try:
        return parse_match(GAMES, name)[0].slug == game
    except BadName:
        return False
