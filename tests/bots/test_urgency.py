"""Tests that an account moves first in the matches in which a slow move costs money, even if many
other matches wait for its moves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from eth_account import Account

from bots.opponent import Choice
from bots.registry import find
from bots.service.boards import BoardEntry
from bots.service.calls import GameCalls
from bots.service.funds import Funds
from bots.service.player import MOVES_AT_ONCE, Player, SharedState
from bots.service.secret_files import SecretFiles
from bots.service.urgency import UrgentFirst, urgency
from indexer.games import GAMES
from indexer.model import Json

GAME = GAMES["deblockle"]
COMPUTER, VISITOR, CONTRACT = Account.create(), "0x" + "12" * 20, "0x" + "34" * 20
IDLE = 200


def board(**more: Any) -> Json:
    players = {VISITOR: {"seat": 0}, COMPUTER.address: {"seat": 1}}
    return {**GAME.start, "status": "playing", "players": players, "mover": COMPUTER.address, "ply": 1, **more}


def test_stakes_come_first_and_then_clocks() -> None:
    matches = [
        board(stake="1", deadline=50),
        board(stake="1", deadline=60),
        board(stake="0", deadline=10),
        board(deadline=20),
        board(),
    ]
    shuffled = [matches[at] for at in (3, 4, 0, 2, 1)]
    assert sorted(shuffled, key=urgency) == matches


async def test_the_most_urgent_is_next_and_a_cancelled_task_keeps_no_turn() -> None:
    turns, served = UrgentFirst(1), list[int]()

    async def serve(deadline: int) -> None:
        async with turns.turn(urgency(board(deadline=deadline))):
            served.append(deadline)
            await asyncio.sleep(0)

    async with turns.turn(urgency(board())):
        waiting = {deadline: asyncio.create_task(serve(deadline)) for deadline in (30, 10, 20)}
        await asyncio.sleep(0)
        waiting[20].cancel()
    waiting[10].cancel()  # its turn has come, but it hasn't started yet
    await asyncio.gather(*waiting.values(), return_exceptions=True)
    await serve(40)
    assert served == [30, 40]


async def test_many_idle_matches_do_not_make_it_lose_a_stake(tmp_path: Path) -> None:
    """Tests an attack in which a visitor moves in many free matches at once, and then in a match
    with a stake. If its account answered in this order, its clock would run out."""
    sent = list[str]()

    async def submit(_to: str, _data: str, _value: int, _gas: int, key: str) -> Any:
        await asyncio.sleep(0)
        sent.append(key.partition(":")[0])
        return SimpleNamespace(state="sent")

    async def choose(*_: Any) -> Choice:
        await asyncio.sleep(0)
        return Choice("passMove", {"ply": 1})

    class Rich(Funds):
        async def ensure(self, address: str, stake: int = 0, gas: int = 0) -> None:
            pass

    listed: Json = {"deployments": [{"address": CONTRACT}]}
    feed: Any = SimpleNamespace(height=0)
    pool: Any = SimpleNamespace(choose=choose)
    source: Any = SimpleNamespace(highest_stake=1)
    node: Any = None
    shared = SharedState(
        feed=feed,
        pool=pool,
        secrets=SecretFiles(tmp_path, lambda _path, _content: None),
        funds=Rich(node, source),
        calls={GAME.slug: GameCalls(GAME, listed)},
        chain=lambda: "",
        others=lambda _board: [VISITOR],
    )
    manager: Any = SimpleNamespace(address=COMPUTER.address, submit=submit)
    player = Player(shared, GAME.slug, find(GAME, "careful"), COMPUTER, manager)
    entries = [BoardEntry(f"deblockle/{number}", 9, board()) for number in range(1, IDLE + 1)]
    staked = BoardEntry("deblockle/999", 9, board(stake="1", rate="1", clock=60, deadline=60))
    tasks = [asyncio.create_task(player.play(entry)) for entry in (*entries, staked)]
    while len(sent) < IDLE:
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert sent.index(staked.name) <= MOVES_AT_ONCE
