"""Tests addresses that can spend a grant without sending a transaction: accounts that delegate to
code (EIP-7702), and addresses at which a contract exists only during a transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_utils.crypto import keccak

from contracts.abi import checksum
from tests.sponsor.environment import ETHER, GWEI, HERE, OUR_CONTRACT, SponsorEnv, rejection_of, sponsor_env

NOBODY, THIEF = "0x" + "00" * 20, "0x" + "00" * 18 + "beef"
DRAIN = "0x" + "00" * 18 + "d7a1"
"""A contract whose code sends all ether of the account that delegates to it to THIEF."""
DRAIN_CODE = "0x5f5f5f5f4761beef5af100"
FACTORY, BURNING = "0x" + "00" * 18 + "fac7", "61beefff"
"""A contract whose code creates another contract with CREATE2. In its constructor, the other
contract sends its ether to THIEF and destroys itself."""
FACTORY_CODE = f"0x63{BURNING}5f525f6004601c5ff500"


@pytest.fixture
async def env(tmp_path: Path) -> AsyncIterator[SponsorEnv]:
    async with sponsor_env(tmp_path) as it:
        await it.node.request("anvil_setCode", (DRAIN, DRAIN_CODE))
        await it.node.request("anvil_setCode", (FACTORY, FACTORY_CODE))
        yield it


async def _delegate(env: SponsorEnv, account: LocalAccount, to: str, helper: LocalAccount) -> None:
    """Let a helper send the account's authorization, and call the account. The authorization uses a
    nonce of the account, although the account sends no transaction."""
    nonce = int(await env.node.request("eth_getTransactionCount", (account.address, "latest")), 16)
    terms = {"chainId": 31337, "address": checksum(to), "nonce": nonce}
    authorization = account.sign_authorization(terms)
    count = int(await env.node.request("eth_getTransactionCount", (helper.address, "latest")), 16)
    whole: Any = {
        "type": 4, "chainId": 31337, "nonce": count, "to": account.address, "value": 0, "gas": 200_000,
        "maxFeePerGas": 3 * GWEI, "maxPriorityFeePerGas": GWEI, "authorizationList": [authorization],
    }  # fmt: skip
    raw = bytes(helper.sign_transaction(whole).raw_transaction)
    await env.node.request("eth_sendRawTransaction", ("0x" + raw.hex(),))


@pytest.mark.parametrize("moves_after", [0, 1])
async def test_ether_that_delegated_code_took_is_not_given_again(env: SponsorEnv, moves_after: int) -> None:
    sponsor, visitor, helper = await env.sponsor(), Account.create(), Account.create()
    await env.fund(helper.address, ETHER)
    given = await sponsor.grant(visitor.address, HERE, "chess")
    await _delegate(env, visitor, DRAIN, helper)
    assert await env.balance(THIEF) == given.sent
    assert (await rejection_of(sponsor, visitor.address)).key == "sponsor-withheld.contract"
    await _delegate(env, visitor, NOBODY, helper)  # the account has no code any more
    for _ in range(moves_after):
        await env.fund(visitor.address, ETHER // 100)
        await env.send(visitor, OUR_CONTRACT)
        await env.fund(visitor.address, 0)
    for one in (sponsor, await env.sponsor()):
        assert (await rejection_of(one, visitor.address)).key == "sponsor-withheld.unknown"
    assert await env.balance(visitor.address) == 0


async def test_a_contract_that_leaves_no_trace_gets_one_grant(env: SponsorEnv) -> None:
    """Tests an address that looks unused again after a contract has spent its ether."""
    sponsor, helper = await env.sponsor(), Account.create()
    created = keccak(bytes.fromhex("ff" + FACTORY[2:] + "00" * 32) + keccak(bytes.fromhex(BURNING)))
    address = checksum("0x" + created[12:].hex())
    await env.fund(helper.address, ETHER)
    given = await sponsor.grant(address, HERE, "chess")
    await env.send(helper, FACTORY, gas=100_000)
    assert await env.balance(THIEF) == given.sent
    assert await env.node.request("eth_getCode", (address, "latest")) == "0x"
    assert await env.node.request("eth_getTransactionCount", (address, "latest")) == "0x0"
    for one in (sponsor, await env.sponsor()):
        assert (await one.grant(address, HERE, "chess")).sent == 0
    assert await env.balance(address) == 0
