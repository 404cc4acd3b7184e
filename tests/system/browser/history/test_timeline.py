"""Tests of the timeline, on which users look back at earlier moments of a match. The tests visit
every moment, use the controls, and open links to a moment. They also cover moves that a reorg has
reverted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from bench.load.burst import GAS, SOURCE
from contracts.abi import encode_call
from indexer.gamekit.lifecycle import NOBODY
from tests.support.compiled import compiled
from tests.support.page.browser import SCHEMES, barriers
from tests.support.page.input_devices import click_cell
from tests.support.players import mine_transaction, rpc_call, wait_for_json
from tests.support.server import Server, node_url, up_deployed
from tests.support.waiting import wait_for
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import SMALL_TEXT, TRANSACTIONS

WON = [0, 3, 1, 4, 2]
PAST = "() => window.chainboard.past"
TARGETS = """() => [...document.querySelectorAll('#time-line :is(button, select, a, summary), #looking button')]
  .map(one => one.getBoundingClientRect()).filter(box => box.width > 0 && box.height < 43.5).length"""


class TimelineSite(NamedTuple):
    """A server and its node. The players in its matches have no browser."""

    server: Server
    node: str

    def send(self, player: int, name: str, *arguments: Any, game: str = "tic-tac-toe") -> str:
        """Send a transaction, which gets a block of its own. Return the transaction's hash."""
        info = next(one for one in self.server.get("/api/games")["games"] if one["slug"] == game)
        data = encode_call(info["abi"], name, arguments)
        sender = rpc_call(self.node, "eth_accounts")[player]
        call = {"from": sender, "to": info["address"], "data": data, "gas": hex(10**6)}
        return str(mine_transaction(self.node, call)["transactionHash"])

    def play_match(self, cells: list[int]) -> str:
        """Start a match, play these moves, and return the match's name."""
        before = self.server.get("/api/matches?game=tic-tac-toe&limit=1")["matches"]
        number = before[0]["id"] + 1 if before else 1
        host, challenger = players(number)
        self.send(host, "create", NOBODY, 3600)
        self.send(challenger, "accept", number)
        for ply, cell in enumerate(cells):
            self.move(number, ply, cell)
        name = f"tic-tac-toe/{number}"
        wait_for_json(
            self.server,
            "/api/matches?game=tic-tac-toe&limit=1",
            lambda answer: self.is_indexed(answer, name, len(cells)),
        )
        return name

    def is_indexed(self, answer: Any, name: str, ply: int) -> bool:
        return any(one["match"] == name and one["ply"] == ply for one in answer["matches"])

    def move(self, number: int, ply: int, cell: int) -> str:
        return self.send(players(number)[ply % 2], "move", number, ply, *divmod(cell, 3))

    def create_long_match(self, events: int) -> str:
        """Create a match with at least this number of events. To do this, temporarily replace the
        game contract's code with that of `Burst.sol`, which emits many events in one
        transaction."""
        name = self.play_match([])
        info = next(one for one in self.server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")
        burst = compiled(SOURCE)
        [sender] = rpc_call(self.node, "eth_accounts")[:1]
        sessions = rpc_call(
            self.node, "eth_call", {"to": info["address"], "data": encode_call(info["abi"], "SESSIONS", ())}
        )
        data = burst.bytecode + sessions[2:] + f"{1:064x}"
        address = mine_transaction(self.node, {"from": sender, "data": data, "gas": GAS})["contractAddress"]
        own = rpc_call(self.node, "eth_getCode", info["address"], "latest")
        rpc_call(self.node, "anvil_setCode", info["address"], rpc_call(self.node, "eth_getCode", address, "latest"))
        data = encode_call(burst.abi, "burst", (int(name.split("/")[1]), events // 4))
        for _ in range(4):
            mine_transaction(self.node, {"from": sender, "to": info["address"], "data": data, "gas": GAS})
        rpc_call(self.node, "anvil_setCode", info["address"], own)
        wait_for_json(self.server, f"/api/matches/{name}", lambda answer: answer["seq"] > events)
        return name

    def hash(self, match: str, seq: int) -> str:
        return str(self.server.get(f"/api/matches/{match}?seq={seq}")["hash"])


def players(number: int) -> tuple[int, int]:
    """Return the indexes of the two accounts that play this match. Each match gets a different
    pair, because two accounts can play only one match at a time."""
    return number % 5, 5 + number // 5 % 5


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TimelineSite]:
    data = tmp_path_factory.mktemp("timeline")
    with up_deployed(data) as server:
        yield TimelineSite(server, node_url(data))


@pytest.fixture(scope="module")
def won(table: TimelineSite) -> str:
    """Return a match that has been won. It has eleven events:

    - The opening of the match and its acceptance caused two events each.
    - The first four moves caused one event each.
    - The last move caused three events."""
    return table.play_match(WON)


def wait_for_moment(page: Page, seq: int) -> None:
    """Wait until the timeline shows the board after this event."""
    expect(page.locator("#time-line:not([aria-busy=true]) [data-seq]")).to_have_attribute("data-seq", str(seq))


def shown_board(page: Page) -> Any:
    return page.locator("#time-line [data-fact=hash]").get_attribute("title")


def visited(table: TimelineSite, visit: Visit, match: str, moment: str = "", **options: Any) -> Page:
    page = visit(f"{table.server.url}/#/match/{match}{moment}", **options)
    page.wait_for_selector("#time-line #time-slider")
    page.wait_for_selector("#feed [data-seq]")
    return page


@pytest.mark.soak
def test_each_moment_is_the_board_that_was_then(
    table: TimelineSite, won: str, visit: Visit, page_errors: list[str]
) -> None:
    page = visited(table, visit, won)
    last = table.server.get(f"/api/matches/{won}")["seq"]
    wait_for_moment(page, last)
    page.click("#time-open")
    page.select_option("#time-step", "event")
    for seq in range(last - 1, 0, -1):
        page.keyboard.press("ArrowLeft")
        wait_for_moment(page, seq)
        assert page.evaluate(PAST) == {"match": won, "seq": seq}
        assert shown_board(page) == table.hash(won, seq)
    expect(page.locator("#board [data-piece]")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    wait_for_moment(page, 1)
    for seq in range(2, last):
        page.click("#time-forward")
        wait_for_moment(page, seq)
        assert shown_board(page) == table.hash(won, seq)
    page.click("#time-forward")
    wait_for_moment(page, last)
    assert page.evaluate(PAST) is None, "the latest moment is the present"
    assert page_errors == []


@pytest.mark.soak
def test_a_step_is_a_transaction_unless_events_are_asked_for(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won)
    found = [table.server.get(f"/api/matches/{won}")["seq"]]
    while page.locator("#time-back").is_enabled():
        page.click("#time-back")
        expect(page.locator("#time-line [data-seq]")).not_to_have_attribute("data-seq", str(found[-1]))
        found.append(page.evaluate(PAST)["seq"])
        assert table.server.get(f"/api/matches/{won}?seq={found[-1]}")["settled"]
    events = table.server.get(f"/api/matches/{won}/events")["events"]
    ends = {event["tx"]: event["seq"] for event in events}
    assert found == sorted(ends.values(), reverse=True)
    page.reload()
    page.locator("#time-slider").fill("10")  # event 10 is one of the three events of the last move
    wait_for_moment(page, found[0])
    page.locator("#time-slider").fill("1")
    wait_for_moment(page, found[-1])
    page.select_option("#time-step", "event")
    page.locator("#time-slider").fill("10")
    wait_for_moment(page, 10)
    expect(page.locator("#moment")).to_contain_text("Three in a row")


def test_it_plays_to_the_present_and_stops(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won)
    page.click("#time-open")
    page.select_option("#time-speed", "8")
    page.keyboard.press("Home")
    page.locator("#time-line[data-looking]").wait_for()
    page.evaluate(
        """() => { window.seen = new Set();
          new MutationObserver(() => window.seen.add(window.chainboard.past?.seq ?? 0))
            .observe(document.querySelector('#time-line'), { subtree: true, childList: true, attributes: true }); }"""
    )
    page.keyboard.press(" ")
    expect(page.locator("#time-line")).to_have_attribute("data-playing", "")
    expect(page.locator("#time-play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("#time-line[data-playing]")).to_have_count(0)
    assert page.evaluate(PAST) is None
    assert set(page.evaluate("() => [...window.seen]")) >= {4, 5, 6, 7, 8}
    page.keyboard.press(" ")
    page.wait_for_function("() => window.chainboard.past?.seq > 2")
    page.keyboard.press(" ")
    expect(page.locator("#time-line[data-playing]")).to_have_count(0)
    assert page.evaluate(PAST) is not None, "playback stays where it was stopped"


def test_keys_are_the_boards_where_the_board_has_them(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won)
    page.focus("#board")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#board-cell")).to_contain_text("B1")
    page.keyboard.press(" ")
    assert page.evaluate(PAST) is None
    page.focus("#time-slider")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    wait_for_moment(page, 2)
    page.focus("#time-first")
    page.keyboard.press("End")
    wait_for_moment(page, 11)
    page.keyboard.press("?")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(PAST) is None, "the list of keys covers the match"


def test_a_link_opens_just_that_moment(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won, "@5")
    wait_for_moment(page, 5)
    assert page.evaluate(PAST) == {"match": won, "seq": 5}
    assert shown_board(page) == table.hash(won, 5)
    expect(page.locator("#feed [aria-current=step] [data-seq='5']")).to_be_visible()
    page.locator("#feed [data-seq='7'] .go").click()
    wait_for_moment(page, 7)
    page.locator("#feed [data-seq='10'] .go").click()
    wait_for_moment(page, 10)
    expect(page.locator("#time-step")).to_have_value("event")
    page.go_back()
    wait_for_moment(page, 7)
    page.go_back()
    wait_for_moment(page, 5)
    page.go_forward()
    wait_for_moment(page, 7)
    page.keyboard.press("ArrowLeft")
    wait_for_moment(page, 6)
    expect(page).to_have_url(re.compile(r"@6$"))
    page.reload()
    wait_for_moment(page, 6)
    page.click("#to-present")
    expect(page).to_have_url(re.compile(rf"#/match/{won}$"))
    assert page.evaluate(PAST) is None


@pytest.mark.parametrize(
    "moment", ["@12", *(pytest.param(one, marks=pytest.mark.soak) for one in ("@0", "@999999999999999"))]
)
def test_nonexistent_moment_shows_a_sentence(table: TimelineSite, won: str, visit: Visit, moment: str) -> None:
    page = visited(table, visit, won, moment)
    expect(page.locator("#past-trouble")).to_have_text(f"This game has steps 1 to 11; there is no step {moment[1:]}.")
    wait_for_moment(page, 11)
    assert page.evaluate(PAST) is None
    page.click("#to-present")
    expect(page.locator("#past-trouble")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"#/match/{won}$"))


@pytest.mark.usefixtures("won")
@pytest.mark.parametrize(
    "place",
    [
        "tic-tac-toe/999999@3",
        *(pytest.param(f"tic-tac-toe/1@{one}", marks=pytest.mark.soak) for one in ("", "-3", "x")),
    ],
)
def test_an_address_that_names_no_moment_names_nothing(table: TimelineSite, visit: Visit, place: str) -> None:
    page = visit(f"{table.server.url}/#/match/{place}")
    for address in ("tic-tac-toe/0", "tic-tac-toe/999999999999999", "x" * 20_000):
        expect(page.locator("main")).to_contain_text("There’s nothing at this address")
        page.evaluate(f"location.hash = '#/match/{address}'")
        expect(page.locator("main")).to_contain_text(address[:50])
    expect(page.locator("main")).to_contain_text("There’s nothing at this address")


def test_the_link_that_is_copied_is_of_the_moment(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won, "@6", permissions=["clipboard-read", "clipboard-write"])
    wait_for_moment(page, 6)
    page.click("#copy-link")
    expect(page.locator("#copy-link")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == f"{table.server.url}/#/match/{won}@6"


def test_the_present_goes_on_and_nothing_can_be_moved_in_the_past(table: TimelineSite, visit: Visit) -> None:
    match = table.play_match([0, 1])
    number = int(match.split("/")[1])
    page = visited(table, visit, match)
    present = int(page.locator("#time-line [data-seq]").get_attribute("data-seq") or 0)
    page.keyboard.press("ArrowLeft")
    wait_for_moment(page, present - 1)
    expect(page.locator("#looking")).to_have_attribute("data-missed", "0")
    assert page.locator("[data-action]").count() == 0
    click_cell(page, 5, 3)
    page.keyboard.press("1")
    assert page.evaluate(TRANSACTIONS) == []
    for ply, cell in enumerate((2, 3), start=2):
        table.move(number, ply, cell)
    expect(page.locator("#looking")).to_have_attribute("data-missed", "2")
    expect(page.locator("#moved-on")).to_have_text("The game has moved on by 2 steps.")
    wait_for_moment(page, present - 1)
    expect(page.locator("#board [data-piece]")).to_have_count(1)
    page.click("#to-present")
    expect(page.locator("#board [data-piece]")).to_have_count(4)
    wait_for_moment(page, present + 2)


def page_with_reverted_move(table: TimelineSite, visit: Visit, cell: int) -> tuple[Page, str, str]:
    """Return a page that showed a move before a reorg reverted it. Also return the match's name and
    the hash of the move's transaction."""
    match = table.play_match([0])
    number = int(match.split("/")[1])
    page = visited(table, visit, match)
    wait_for_faucet(table, page.evaluate("() => window.chainboard.state.me"))
    snapshot = rpc_call(table.node, "evm_snapshot")
    tx = table.move(number, 1, cell)
    expect(page.locator(f"#feed [data-tx='{tx}']")).to_have_count(1)
    assert rpc_call(table.node, "evm_revert", snapshot)
    rpc_call(table.node, "anvil_mine", "0x2")
    expect(page.locator(f"#feed [data-tx='{tx}']")).to_have_count(0)
    return page, match, tx


def wait_for_faucet(table: TimelineSite, account: str) -> None:
    """Wait until the faucet has paid. If the payment came after the test's snapshot, reverting to
    the snapshot would undo it."""
    wait_for(lambda: int(rpc_call(table.node, "eth_getBalance", account, "latest"), 16), bool, "the faucet's payment")


def test_move_reverted_by_a_reorg_is_a_ghost(table: TimelineSite, visit: Visit, page_errors: list[str]) -> None:
    page, match, tx = page_with_reverted_move(table, visit, 4)
    ghost = page.locator(f"#feed [data-ghost='{tx}']")
    expect(ghost).to_contain_text("Undone")
    expect(ghost).to_contain_text("put O on B2")
    height = ghost.get_attribute("data-ghost-block")
    table.move(int(match.split("/")[1]), 1, 8)
    expect(page.locator("#board [data-piece=cell-8]")).to_have_count(1)
    order = page.locator("#feed .group").evaluate_all("all => all.map(one => one.dataset.ghost ? 'ghost' : 'move')")
    assert order[:3] == ["move", "ghost", "move"], "the ghost must be below the move that replaced it"
    page.reload()
    ghost.locator(".go").click()
    expect(page.locator("#ghost-told")).to_contain_text("no longer counts: the chain undid it")
    expect(page.locator("[data-fact=block]")).to_have_text(height)
    expect(page.locator("#board [data-piece=cell-4]")).to_have_count(1)
    expect(page.locator("#board [data-piece=cell-8]")).to_have_count(0)
    assert page.evaluate(PAST) == {"match": match, "seq": 6, "ghost": True}
    assert barriers(page) == []
    page.click("#to-present")
    expect(page.locator("#board [data-piece=cell-8]")).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("#feed [data-seq]")
    assert other.locator("[data-ghost]").count() == 0, "only the first page saw the reverted move"
    assert page_errors == []


@pytest.mark.soak
def test_viewed_moment_becomes_a_ghost(table: TimelineSite, visit: Visit) -> None:
    match = table.play_match([0])
    page = visited(table, visit, match)
    wait_for_faucet(table, page.evaluate("() => window.chainboard.state.me"))
    snapshot = rpc_call(table.node, "evm_snapshot")
    number = int(match.split("/")[1])
    table.move(number, 1, 4)
    table.move(number, 2, 8)
    expect(page.locator("#board [data-piece]")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    wait_for_moment(page, 6)
    assert rpc_call(table.node, "evm_revert", snapshot)
    rpc_call(table.node, "anvil_mine", "0x3")
    expect(page.locator("#ghost-told")).to_be_visible()
    expect(page.locator("#board [data-piece=cell-4]")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#board [data-piece]")).to_have_count(1)


@pytest.mark.soak
def test_the_same_transaction_in_another_block_is_no_ghost(table: TimelineSite, visit: Visit) -> None:
    match = table.play_match([0])
    page = visited(table, visit, match)
    wait_for_faucet(table, page.evaluate("() => window.chainboard.state.me"))
    tx = table.move(int(match.split("/")[1]), 1, 4)
    expect(page.locator(f"#feed [data-tx='{tx}']")).to_have_count(1)
    before = page.locator(f"#feed [data-tx='{tx}']").get_attribute("data-block")
    raw = rpc_call(table.node, "eth_getRawTransactionByHash", tx)
    rpc_call(table.node, "anvil_reorg", 1, [])
    rpc_call(table.node, "anvil_mine", "0x1")
    expect(page.locator(f"#feed [data-ghost='{tx}']")).to_have_count(1)
    rpc_call(table.node, "eth_sendRawTransaction", raw)
    expect(page.locator(f"#feed [data-tx='{tx}']")).to_have_count(1)
    expect(page.locator("[data-ghost]")).to_have_count(0)
    assert page.locator(f"#feed [data-tx='{tx}']").get_attribute("data-block") != before


@pytest.mark.soak
def test_a_long_match_is_asked_for_in_pieces(table: TimelineSite, visit: Visit, page_errors: list[str]) -> None:
    """Tests that the page requests only parts of a long match, whichever moment it shows."""
    match = table.create_long_match(1200)
    last = table.server.get(f"/api/matches/{match}")["seq"]
    page = visited(table, visit, match)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    first = page.locator("#feed .group").last.get_attribute("data-block")
    page.click("#older")
    expect(page.locator("#feed .group").last).not_to_have_attribute("data-block", str(first))
    page.click("#time-open")
    page.select_option("#time-step", "event")
    for seq in (1, last // 2, 7, last // 2 + 300, last - 400, 3):
        page.locator("#time-slider").fill(str(seq))
        wait_for_moment(page, seq)
        assert shown_board(page) == table.hash(match, seq)
        expect(page.locator(f"#feed [aria-current=step] [data-seq='{seq}']").first).to_be_attached()
    limits = [int(one.split("limit=")[1]) for one in asked if "limit=" in one and f"/{match}/" in one]
    assert max(limits) <= 300 < last
    assert page_errors == []


@SCHEMES
def test_past_moments_are_accessible(table: TimelineSite, won: str, visit: Visit, scheme: str) -> None:
    page = visited(table, visit, won, "@7", color_scheme=scheme)
    wait_for_moment(page, 7)
    assert barriers(page) == []


def test_looking_back_on_a_phone(table: TimelineSite, won: str, visit: Visit) -> None:
    page = visited(table, visit, won, "@7", width=390, height=844)
    wait_for_moment(page, 7)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL_TEXT) == []
    assert page.evaluate(TARGETS) == 0, "a finger needs 44 pixels"
    expect(page.locator("#to-present")).to_be_in_viewport()
