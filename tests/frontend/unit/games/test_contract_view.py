"""Tests that Python and the page convert boards and contracts' views to the same form, in recorded
matches of each game."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from contracts.abi import decode_result, encode_call
from contracts.artifacts import load
from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, deploy_game
from tests.fixtures.transcripts.record import accounts_for, recordable_matches
from tests.frontend.unit.test_modules import NODE, ROOT


def moments(slug: str) -> Iterator[Json]:
    """Replay each recorded match. After each block, yield the board and the result of the
    contract's view."""
    for play_match in recordable_matches(slug).values():
        anvil = AnvilNode(accounts_for(slug))
        try:
            _, game = deploy_game(anvil, load(GAMES[slug].contract))
            match = play_match(game)
            logs = anvil.rpc("eth_getLogs", {"address": game.address, "fromBlock": "0x0"})
            yield from after_each_block(game, match, [event for event in game.events(logs) if event.match == match])
        finally:
            anvil.close()


def after_each_block(game: Contract, match: int, events: list[Event]) -> Iterator[Json]:
    rules = GAMES[game.slug]
    board = rules.start
    call = {"to": game.address, "data": encode_call(game.abi, "board", (match,))}
    for event, following in zip(events, [*events[1:], None], strict=True):
        board = fold(rules, board, [event])
        if following is None or following.height != event.height:
            yield {"board": board, "answer": game.node.rpc("eth_call", call, hex(event.height))}


def by_the_page(slug: str, found: list[Json]) -> Any:
    asked = {"slug": slug, "abi": load(GAMES[slug].contract).abi, "moments": found}
    run = subprocess.run(
        [NODE, "tests/frontend/unit/games/contract-view.mjs"],
        cwd=ROOT,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("slug", [slug for slug in GAMES if recordable_matches(slug)])
def test_both_languages_tell_the_same(slug: str) -> None:
    game, found = GAMES[slug], list(moments(slug))
    assert game.from_contract is not None
    assert game.from_board is not None
    abi = load(game.contract).abi
    judged = by_the_page(slug, found)
    assert len(judged) == len(found) > len(recordable_matches(slug))
    for moment, page in zip(found, judged, strict=True):
        assert page["fromBoard"] == game.from_board(moment["board"])
        assert page["fromContract"] == game.from_contract(decode_result(abi, "board", 1, moment["answer"]))
        assert page["differences"] == []


def test_a_board_that_was_altered_is_told_by_its_place() -> None:
    *_, last = moments("tic-tac-toe")
    board = {**last["board"], "ply": last["board"]["ply"] + 1, "cells": {**last["board"]["cells"], "8": 7}}
    [page] = by_the_page("tic-tac-toe", [{**last, "board": board}])
    places = {one["path"]: one["claimed"] for one in page["differences"]}
    assert places == {"ply": board["ply"], "cells.8": 7}
