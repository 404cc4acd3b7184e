"""Tests of the cost of a deployment. The command must show the cost before anybody pays. It must
pay nothing twice, and nothing without confirmation."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from contracts import artifacts, create2
from indexer.games import GAMES
from tests.system.chain.operator_site import ETHER, TRANSACTIONS, site

END_OF_INPUT = b"\x04"
"""The byte that a terminal sends when the user presses Ctrl-D."""
MAY_DIFFER = 0.1
"""The fraction by which the actual cost may differ from the displayed estimate. Both include the
gas fee and the data fee."""


def number_in(text: str, pattern: str) -> float:
    """Return the number in the text that this pattern captures, without thousands separators."""
    [found] = re.findall(pattern, text)
    return float(found.replace(",", ""))


@pytest.mark.timeout(400)
async def test_cost_is_shown_and_confirmed(tmp_path: Path) -> None:
    """Tests that the displayed cost includes an L1 fee. Without confirmation, the command must
    write no manifest and send no transaction."""
    async with site(tmp_path) as operator:
        await operator.fund(10**15)
        poor = await operator.deploy("--yes")
        assert poor.code == 1
        assert f"{operator.account.address} has 0.001 ETH but needs " in poor.text
        await operator.fund(ETHER)
        unasked = await operator.deploy("--coin", "POL")
        assert unasked.code == 1
        assert number_in(unasked.text, r"about ([\d.]+) POL") < number_in(
            unasked.text, r"must hold at least ([\d.]+) POL"
        )
        assert "ETH" not in unasked.text
        assert "accept it with `chainboard deploy --yes`" in unasked.text
        assert await operator.spent() == (0, 0)
        assert operator.manifest() is None
        agreed = await operator.deploy("--yes")
        assert agreed.code == 0, agreed.text
        wei, nonces = await operator.spent()
        assert nonces == TRANSACTIONS
        gas, gwei = number_in(agreed.text, r"total +([\d,]+) gas"), number_in(agreed.text, r"total .* at ([\d.]+) gwei")
        data = number_in(agreed.text, r"data fee +([\d.]+) ETH")
        gas_paid, wei_for_gas = await operator.gas_paid()
        assert gas_paid == pytest.approx(gas, rel=MAY_DIFFER)
        assert (wei - wei_for_gas) / ETHER == pytest.approx(data, rel=MAY_DIFFER)
        likely = number_in(agreed.text, r"about ([\d.]+) ETH at current fees")
        assert likely == pytest.approx(gas * gwei / 10**9 + data, abs=1e-8)
        assert wei / ETHER < number_in(agreed.text, r"must hold at least ([\d.]+) ETH")
        assert "in addition to the fee for gas" in agreed.text
        again = await operator.deploy()
        assert (again.code, await operator.spent()) == (0, (wei, nonces))
        assert "To be deployed" not in again.text


@pytest.mark.timeout(300)
async def test_terminal_asks_for_confirmation(tmp_path: Path) -> None:
    """Tests that the command pays only if the user answers yes. It must pay nothing after the
    answer "n", after Ctrl-D, or after Ctrl-C."""
    async with site(tmp_path) as operator:
        await operator.fund(ETHER)
        for answer, code, words in (
            (b"n\n", 1, "chainboard: nothing was deployed\n"),
            (END_OF_INPUT, 1, "chainboard: nothing was deployed\n"),
            # After Ctrl-C, the command ends without an error.
            (signal.SIGINT, 0, f"Deploy from {operator.account.address}? [y/N]: \n"),
        ):
            refused = await operator.deploy_and_answer(answer)
            assert (refused.code, refused.text.endswith(words)) == (code, True), (answer, refused.text)
            assert await operator.spent() == (0, 0)
            assert operator.manifest() is None
        agreed = await operator.deploy_and_answer(b"y\n")
        assert agreed.code == 0, agreed.text
        assert (await operator.spent())[1] == TRANSACTIONS
        assert operator.manifest() is not None


@pytest.mark.timeout(400)
async def test_a_chain_without_the_deployer_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with site(tmp_path) as operator:
        await operator.fund(ETHER)
        await operator.chain.request("anvil_setCode", create2.DEPLOYER, "0x")
        refused = await operator.deploy("--yes")
        assert refused.code == 1
        assert f"lacks the deployer at {create2.DEPLOYER}" in refused.text
        assert await operator.spent() == (0, 0)
        # On a development chain, the command creates the CREATE2 deployer itself.
        dev = await operator.deploy("--dev", "--rpc", operator.chain.url)
        assert dev.code == 0, dev.text


@pytest.mark.timeout(400)
async def test_games_of_chance_are_not_deployed_where_block_numbers_are_the_l1s(tmp_path: Path) -> None:
    """Tests a deployment on Arbitrum. Contracts there see the L1's block numbers, so games can't
    draw random numbers from block hashes. The command must deploy only the games without random
    draws."""
    async with site(tmp_path) as operator:
        await operator.fund(ETHER)
        operator.other_numbers = True
        deployed = await operator.deploy("--yes")
        assert deployed.code == 0
        assert (
            "Not deployed on this chain: conquest and touche-coule. These games draw random numbers from block hashes. "
            "That can't work here, because contracts on this chain see the block numbers of another chain\n"
        ) in deployed.text
        manifest, paid = operator.manifest(), await operator.spent()
        assert manifest is not None
        assert {one["game"] for one in manifest["games"]} == {"tic-tac-toe", "battleship", "deblockle"}
        drawing = {one.contract for one in GAMES.values() if artifacts.load(one.contract).draws_from_blocks}
        assert drawing.isdisjoint(one["contract"] for one in operator.entries())
        again = await operator.deploy()
        assert ("Not deployed on this chain" in again.text, await operator.spent()) == (True, paid)
        operator.other_numbers = False
        # The remaining games would cost something, so without --yes the command only shows the cost
        # and asks.
        assert "ToucheCoule" in (await operator.deploy()).text
        assert (operator.manifest(), await operator.spent()) == (manifest, paid)
