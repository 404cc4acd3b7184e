"""Tests of replay files whose matches are on the page's own chain. The page shows what it compared
with the chain, where the file comes from, and which parts of a file were forged."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from contracts.abi import encode_call
from indexer.gamekit.game import apply_patch, board_hash
from indexer.model import Json
from tests.contracts.support.matches.deblockle import SHEET_GAME
from tests.support.page.browser import barriers
from tests.support.players import mine_transaction, rpc_call, wait_for_json
from tests.support.server import Server
from tests.system.browser.chain.test_verification import ask_own_node
from tests.system.browser.conftest import Visit
from tests.system.browser.history.test_replay_file import drop_file, lobby
from tests.system.browser.lying_gateway import LyingSite, site_with_lying_gateway

Forge = Callable[[Json], Any]
NOBODY = "0x" + 40 * "0"
CREATED = (NOBODY, 1, 0, NOBODY, 0, 0, 3600, 0)
TERMS = (1, 0, NOBODY, 0, 0, 3600)


@dataclass
class Match:
    """An unfinished match of Deblockle and its replay. `replay` is the content of the file that the
    page's *Save replay* button creates."""

    site: LyingSite
    replay: Json

    @property
    def server(self) -> Server:
        return self.site.server


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Match]:
    with site_with_lying_gateway(tmp_path_factory.mktemp("forged")) as site:
        send(site, 0, "create", *CREATED)
        send(site, 1, "join", 1, *TERMS)
        cubes = [start for start, _, _ in SHEET_GAME[:2]]
        for ply, (start, end, _) in enumerate(SHEET_GAME[:8]):
            mover = cubes.index(start)
            cubes[mover] = end
            send(site, mover, "makeMove", 1, ply, *start, *end)
        wait_for_json(site.server, "/api/matches/deblockle/1", lambda match: match["board"]["ply"] == 8)
        yield Match(site, site.server.get("/api/matches/deblockle/1/replay"))


def send(site: LyingSite, player: int, name: str, *arguments: Any) -> None:
    game = next(one for one in site.server.get("/api/games")["games"] if one["slug"] == "deblockle")
    sender = rpc_call(site.node, "eth_accounts")[player]
    call = {"from": sender, "to": game["address"], "data": encode_call(game["abi"], name, arguments)}
    assert mine_transaction(site.node, {**call, "gas": hex(2_000_000)})["status"] == "0x1", (name, arguments)


def opened(page: Page, replay: Json, state: str) -> Locator:
    """Open a replay file in the page, and wait until the page has compared it with the chain.
    Return the element that shows the result."""
    page.goto(page.url.partition("#")[0] + "#/replay")
    drop_file(page, json.dumps(replay))
    found = page.locator(f"#provenance[data-checked={state}]")
    expect(found).to_be_visible()
    return found


def test_saved_replay_is_confirmed_by_the_servers_node(played: Match, visit: Visit, page_errors: list[str]) -> None:
    page = lobby(played.server, visit)
    found = opened(page, played.replay, "same")
    expect(found).to_contain_text(
        f"The node has the same {len(played.replay['events'])} steps of this game, with the same names,"
    )
    expect(found).to_contain_text("From these steps, this server computes the same boards as the file.")
    expect(found).to_contain_text("so it only repeats what the server claims")
    expect(found).to_contain_text("The command also checks the block hashes and the contract’s code")
    expect(found).to_contain_text("chainboard verify deblockle-1.json")
    assert barriers(page) == []
    assert page_errors == []


def test_own_node_is_asked_if_the_page_has_one(played: Match, visit: Visit) -> None:
    page = lobby(played.server, visit)
    found = opened(page, played.replay, "same")
    ask_own_node(page, played.site.node)
    page.click("#check-file")
    expect(found).to_contain_text("not from this server")


def with_renumbered_events(replay: Json) -> None:
    for number, event in enumerate(replay["events"], 1):
        event["seq"] = number


def with_invented_hop(replay: Json) -> None:
    """Add an invented hop to a replay. The page once accepted this forgery, as a player found
    out."""
    hop = next(event for event in replay["events"] if event["name"] == "Hopped")
    hop["args"].update(toX=1, toY=1)
    replay["events"][6]["name"] = "Hopped"


def with_swapped_events(replay: Json) -> None:
    events = replay["events"]
    events[5], events[6] = events[6], events[5]
    with_renumbered_events(replay)


def without_an_event(replay: Json) -> None:
    del replay["events"][5]
    with_renumbered_events(replay)


def with_an_added_event(replay: Json) -> None:
    last = replay["events"][-1]
    replay["events"].append({**last, "seq": last["seq"] + 1, "logIndex": last["logIndex"] + 1, "patch": {}})


def with_a_reverted_patch(replay: Json) -> None:
    replay["events"][5]["patch"]["lie"] = 1
    replay["events"][6]["patch"]["lie"] = None


def with_another_board_and_hash(replay: Json) -> None:
    replay["events"][-1]["patch"]["ply"] = 9


def with_event_field(number: int, **changes: Any) -> Forge:
    return lambda replay: replay["events"][number - 1].update(changes)


def with_argument(number: int, **changes: Any) -> Forge:
    return lambda replay: replay["events"][number - 1]["args"].update(changes)


STRANGER = "0x1111111111111111111111111111111111111111"
FORGED: dict[str, tuple[Forge, str]] = {
    "a name and arguments, as H2": (with_invented_hop, "Step 7: name is Hopped here but Rolled on the chain"),
    "a name": (
        with_event_field(8, name="MatchStarted"),
        "Step 8: name is MatchStarted here but TurnChanged on the chain",
    ),
    "an argument": (with_argument(7, toX=6), "Step 7: args.toX is 6 here but 3 on the chain"),
    "an address": (with_argument(2, player=STRANGER), f"Step 2: args.player is {STRANGER} here but 0x"),
    "a time": (with_event_field(7, time=1_000_000_000), "Step 7: time is 1000000000 here but"),
    "a block's number": (with_event_field(7, block=1), "Step 7: block is 1 here but"),
    "a block's hash": (with_event_field(7, hash="0x" + 64 * "0"), "Step 7: hash is 0x000"),
    "a transaction": (with_event_field(7, tx="0x" + 64 * "0"), "Step 7: tx is 0x000"),
    "the order": (with_swapped_events, "Step 6: name is Rolled here but TurnChanged on the chain"),
    "an event left out": (without_an_event, "Step 6: name is Rolled here but TurnChanged on the chain"),
    "an event added": (with_an_added_event, "Step 20: name is TurnChanged here but nothing on the chain"),
    "a patch": (with_a_reverted_patch, "Step 6: patch.lie is 1 in the file but nothing on this server"),
    "the last board, and its hash": (
        with_another_board_and_hash,
        "Step 19: patch.ply is 9 in the file but nothing on this server",
    ),
    "the contract's code": (
        lambda it: it["deployment"].update(codeHash="0x00"),
        "deployment.codeHash is 0x00 in the file but 0x",
    ),
}
"""The forgeries, each with the explanation that the page must show. Every forged file is consistent
in itself: its board and its hash follow from its patches."""


def forge(replay: Json, change: Forge) -> Json:
    found = copy.deepcopy(replay)
    change(found)
    board = found["start"]
    for event in found["events"]:
        board = apply_patch(board, event["patch"])
    return {**found, "board": board, "boardHash": board_hash(board)}


def test_each_forgery_is_said_with_its_place(played: Match, visit: Visit, page_errors: list[str]) -> None:
    page = lobby(played.server, visit)
    for what, (change, sentence) in FORGED.items():
        found = opened(page, forge(played.replay, change), "differs")
        expect(found.locator("[role=alert]"), what).to_contain_text("Don’t trust this file")
        expect(found.locator("ul"), what).to_contain_text(sentence)
        expect(found, what).not_to_contain_text("has the same")
    assert barriers(page) == []
    assert page_errors == []


def test_a_file_that_ends_early_is_said_not_to_be_the_whole_match(played: Match, visit: Visit) -> None:
    page = lobby(played.server, visit)
    count = len(played.replay["events"])
    found = opened(page, forge(played.replay, lambda it: it["events"].pop()), "same")
    expect(found).to_contain_text(f"The file doesn’t contain the whole game: the chain now has {count} steps.")


UNCHECKED: dict[str, tuple[Forge, str]] = {
    "another chain": (lambda it: it["chain"].update(chainId=1), "from a chain that this server doesn’t use"),
    "another contract": (lambda it: it["deployment"].update(address=STRANGER), f"names the contract {STRANGER}"),
    "a block to come": (with_event_field(7, block=10**6), "doesn’t have block 1000000 yet"),
}


def test_what_can_not_be_compared_is_said_to_be_unchecked(played: Match, visit: Visit) -> None:
    page = lobby(played.server, visit)
    for what, (change, why) in UNCHECKED.items():
        found = opened(page, forge(played.replay, change), "unanswered")
        expect(found, what).to_contain_text("The moves haven’t been compared with the chain.")
        expect(found, what).to_contain_text(why)
        expect(found, what).to_contain_text("Nothing in the file proves its other details")
        expect(found, what).not_to_contain_text("has the same")


def test_it_says_checking_until_the_node_answers_and_can_be_asked_again(played: Match, visit: Visit) -> None:
    page = lobby(played.server, visit)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "eth_blockNumber" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.fallback()

    page.route("**/api/rpc", hold)
    found = opened(page, played.replay, "asking")
    expect(found).to_contain_text("Checking…")
    expect(found).not_to_contain_text("has the same")
    for route in held:
        route.abort()
    page.unroute("**/api/rpc", hold)
    found = page.locator("#provenance[data-checked=unanswered]")
    expect(found).to_contain_text("The node isn’t answering.")
    page.click("#check-file")
    expect(page.locator("#provenance[data-checked=same]")).to_be_visible()


def test_a_record_that_the_server_does_not_have_leaves_the_boards_unchecked(played: Match, visit: Visit) -> None:
    page = lobby(played.server, visit)
    page.route("**/api/matches/deblockle/1/replay", lambda route: route.abort())
    found = opened(page, played.replay, "same")
    expect(found).to_contain_text("The boards were not compared")
