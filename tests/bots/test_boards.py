"""Tests that the computer players' boards have the gateway's format. Each board records how many
players are watching it and when it last changed."""

from __future__ import annotations

import asyncio
from typing import Any

from bots.service.boards import BoardEntry, BoardFeed

NAME = "touche-coule/1"


def told(feed: BoardFeed, kind: str, **fields: Any) -> BoardEntry:
    feed.receive({"t": kind, "match": NAME, **fields}, is_first=True)
    return feed.entries[NAME]


async def test_nobody_is_waited_for_while_no_player_looks_on() -> None:
    feed = BoardFeed("ws://127.0.0.1:1/ws", lambda _chain: None, lambda: None, lambda: None)
    now = asyncio.get_running_loop().time()
    entry = feed.entries[NAME] = BoardEntry(NAME, changed_at=now - 20)
    assert 9 < (entry.pause_left(30) or 0) <= 10, "a gateway with an earlier version doesn't send the players"
    assert entry.pause_left(10) == 0
    changed = entry.changed
    assert told(feed, "presence", watchers=1, openerIsHere=False, playersHere=0).pause_left(10) is None
    assert changed.is_set(), "tasks that wait look again"
    assert told(feed, "presence", watchers=2, openerIsHere=False, playersHere=1).pause_left(10) == 0
    assert entry.changed_at == now - 20, "the board has not changed"
    told(feed, "deltas", items=[{"seq": 2, "patch": {"ply": 1}}])
    assert (entry.board, entry.seq) == ({"ply": 1}, 2)
    assert entry.pause_left(10) > 9
