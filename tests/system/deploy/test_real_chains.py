"""Tests of the commands in docs/how-to/use-a-public-chain.md, on a model of a rollup with two
providers. After the commands, two visitors without ether play a match."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from eth_account import Account

from indexer.games import GAMES
from sponsor.budgets import Budgets, BudgetSpent, Spent, allowance
from sponsor.prices import Price, moves_gas
from tests.support.services.connect_proxy import connect_proxy
from tests.support.services.missing import skip_or_fail
from tests.support.services.rollup import FREE_PLANS, RunningRollup, running_rollup
from tests.support.waiting import wait_for
from tests.system.chain.operator_site import expected_files
from tests.system.deploy.site import MISSING, TOP, Site, page_commands
from transactions.chain_client import TRANSFER_GAS

PAGE = (TOP / "docs" / "how-to" / "use-a-public-chain.md").read_text("utf-8")
ETHER, GWEI = 10**18, 10**9
DAY_BUDGET = ETHER // 100
"""The daily budget that the page's command gives the sponsor, in wei."""
GAME, MATCH = "tic-tac-toe", "tic-tac-toe/1"


class PublicSite(Site):
    """A site with one gateway on a rollup that the site shares with other users."""

    def __init__(self, stack: ExitStack, folder: Path, rollup: RunningRollup) -> None:
        super().__init__(stack, folder, "public", 1, {})
        self.rollup = rollup
        for name in ("deployer", "sponsor"):
            rollup.request("anvil_setBalance", self.create_keystore(f"{name}.json"), hex(ETHER))
        one, two = rollup.urls
        self.placeholders |= {"https://one.example.org": one, "https://two.example.org": two}

    def balance(self, address: str) -> int:
        return int(self.rollup.request("eth_getBalance", address, "latest"), 16)

    def verification_files(self) -> set[str]:
        return {file.name for file in (self.folder / "public" / "verification").iterdir()}

    def expected_verification_files(self) -> set[str]:
        """Return the names of the verification files that the deployment must have created, two for
        each contract."""
        manifest = json.loads((self.folder / "public" / "deployment.json").read_text())
        return expected_files([manifest["sessions"], *manifest["libraries"], *manifest["games"]])

    def adopt(self) -> None:
        """Adopt the deployment as another operator, in a separate data folder. Run the page's
        `adopt` command in place of the page's second command, and then run the page's third
        command."""
        [command] = re.findall(r"(?m)^    (chainboard adopt .*)$", PAGE)
        self.shell.run("export CHAINBOARD_DATA=$PWD/other")
        with connect_proxy(self.front.address[1]) as proxy:
            environment = f"NO_PROXY= no_proxy= HTTPS_PROXY={proxy} SSL_CERT_FILE={self.front.certificate}"
            self.shell.run(f"{environment} {self.substitute(command)}")
        self.shell.run(page_commands(PAGE)[2].command)
        manifests = [json.loads((self.folder / name / "deployment.json").read_text()) for name in ("public", "other")]
        mine, others = ([one["address"] for one in manifest["games"]] for manifest in manifests)
        assert mine == others

    def sponsored(self, address: str) -> int:
        """Request ether for a first move from the sponsor. Wait for the ether, and return the
        visitor's balance in wei."""
        answer = self.post("/api/sponsor", {"address": address, "game": GAME})
        assert answer.status_code == 200, answer.text
        return int(wait_for(lambda: self.balance(address), bool, "a balance"))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PublicSite]:
    if shutil.which("curl") is None:
        skip_or_fail(MISSING)
    with ExitStack() as stack:
        rollup = stack.enter_context(running_rollup(tmp_path / "chain", FREE_PLANS))
        # The folder's path must be short, because the path of a socket in it has a maximum length.
        checkout = Path(stack.enter_context(TemporaryDirectory(prefix="site-")))
        yield PublicSite(stack, checkout, rollup)


@pytest.mark.timeout(600)
def test_eight_commands_lead_to_a_public_game(site: PublicSite) -> None:
    """Tests the page's eight commands, which lead to a public game. Afterwards, two visitors
    without ether play a match. During one of the moves, the first provider is down."""
    for number in site.follow(PAGE):
        assert number <= len(page_commands(PAGE))
        if number == 2:
            assert site.verification_files() == site.expected_verification_files()
    assert number == 8
    site.adopt()
    host, guest = Account.create(), Account.create()
    assert site.balance(host.address) == 0
    given = [site.sponsored(player.address) for player in (host, guest)]
    assert sum(given) < ETHER // 100
    site.play(host, GAME, "create", guest.address, 0)
    site.wait_until_shown(MATCH, "open", 0)
    with site.rollup.providers[0].outage():
        site.play(guest, GAME, "accept", 1)
        site.wait_until_shown(MATCH, "playing", 0)
    site.play(host, GAME, "move", 1, 0, 1, 1)
    site.wait_until_shown(MATCH, "playing", 1)


def test_the_page_says_whom_the_budget_carries() -> None:
    """Tests that these values on the page follow from the sponsor's budgets: the fees, the amounts
    of ether, the numbers of visitors, and the games."""
    section = " ".join(PAGE.partition("### Choose a budget")[2].partition("### ")[0].split())
    found = re.search(
        r"costs at most ([\d.]+) gwei.* receives ([\d.]+) ether for Tic-tac-toe or ([\d.]+) ether for Conquest"
        r".*about (\d+) visitors to Tic-tac-toe or (\d+) to Conquest",
        section,
    )
    assert found
    fee = Price(int(float(found[1]) * GWEI), 0, 0)
    wanted = {slug: moves_gas(game).needed(fee) for slug, game in GAMES.items()}
    given = {slug: first_grant(fee, slug, DAY_BUDGET) for slug in GAMES}
    assert given == wanted
    assert max(given, key=lambda slug: given[slug] or 0) == "conquest"
    for number, slug in ((2, "tic-tac-toe"), (3, "conquest")):
        assert round((given[slug] or 0) / ETHER, len(found[number]) - 2) == float(found[number])
        carried = DAY_BUDGET // ((given[slug] or 0) + fee.of(TRANSFER_GAS))
        assert int(found[number + 2]) == (carried if carried < 100 else carried // 10 * 10)
    dear = re.search(
        r"At (\d+) gwei,.* first move in (\w+), (\w+) or (\w+), so use a budget of ([\d.]+) ether per day", section
    )
    assert dear
    price, enough = Price(int(dear[1]) * GWEI, 0, 0), int(float(dear[5]) * ETHER)
    titles = {slug for slug, game in GAMES.items() if game.title in dear.groups()}
    assert {slug for slug in GAMES if first_grant(price, slug, DAY_BUDGET) is None} == titles
    assert all(first_grant(price, slug, enough) for slug in GAMES)
    assert not all(first_grant(price, slug, enough * 2 // 3) for slug in GAMES)


def first_grant(price: Price, slug: str, day: int) -> int | None:
    """Return how many wei the day's first visitor receives. Return None if a first move costs more
    than the budgets allow."""
    gas = moves_gas(GAMES[slug])
    try:
        return allowance(Budgets.of(day), Spent(), gas.needed(price), gas.minimum(price), price.transfer)
    except BudgetSpent:
        return None
