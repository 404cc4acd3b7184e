"""Tests that the client understands a provider's rejection: which limit applies, and how much is
allowed. The rejections are real. Each is listed with the address of a page that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.rpc_errors import RpcError
from indexer.node.rejections import ProviderRejection, rejection_of

GITHUB = "https://github.com"
INFURA_RATE = {"rate": {"allowed_rps": 50, "backoff_seconds": 0, "current_rps": 52.3}, "see": "https://infura.io/docs"}
INFURA_WAIT = {"current_rps": 13.333, "allowed_rps": 10.0, "backoff_seconds": 30.0}
TENDERLY = {"error_id": "4ed94073", "payload": "range 9009594 is bigger than range limit 2000"}
RECORDED: list[tuple[str, str, int, str, Any, ProviderRejection]] = [
    (
        "Alchemy",
        f"{GITHUB}/BobTheBuidler/dank_mids/issues/772",
        -32600,
        "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range "
        "should work: [0x123c9b2, 0x123cba5]",
        None,
        ProviderRejection("range", 500, 500),
    ),
    (
        "Alchemy",
        f"{GITHUB}/ethereum/go-ethereum/issues/25343",
        -32602,
        "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the "
        "response size, or you can request any block range with a cap of 10K logs in the response. Based on your "
        "parameters and the response size limit, this block range should work: [0x0, 0x87fe9]",
        None,
        ProviderRejection("results", 2000, 0x87FEA),
    ),
    (
        "Alchemy",
        f"{GITHUB}/Synthetixio/kwenta/issues/40",
        429,
        "Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely "
        "ignore this message. If not, check out https://docs.alchemyapi.io/guides/rate-limits",
        None,
        ProviderRejection("rate"),
    ),
    (
        "Alchemy",
        f"{GITHUB}/xmtp/xmtpd/issues/672",
        -32600,
        "Monthly capacity limit exceeded. Visit https://dashboard.alchemyapi.io/settings/billing to upgrade your "
        "scaling policy for continued service.",
        None,
        ProviderRejection("rate"),
    ),
    (
        "Infura",
        f"{GITHUB}/aurora-is-near/aurora-relayer/pull/327",
        -32005,
        "query returned more than 10000 results",
        None,
        ProviderRejection("results", 10_000),
    ),
    (
        "Infura",
        f"{GITHUB}/INFURA/infura/issues/237",
        -32602,
        "range 1000000 exceeds limit of 10000",
        None,
        ProviderRejection("range", 10_000),
    ),
    (
        "Infura",
        f"{GITHUB}/INFURA/infura/issues/201",
        -32005,
        "project ID request rate exceeded",
        INFURA_RATE,
        ProviderRejection("rate", 50),
    ),
    (
        "Infura",
        f"{GITHUB}/ethers-io/ethers.js/pull/640",
        -32005,
        "project ID request rate exceeded",
        INFURA_WAIT,
        ProviderRejection("rate", 10, None, 30.0),
    ),
    (
        "QuickNode",
        f"{GITHUB}/OffchainLabs/arbitrum-sdk/issues/609",
        -32614,
        "eth_getLogs is limited to a 10,000 range",
        None,
        ProviderRejection("range", 10_000),
    ),
    (
        "QuickNode",
        f"{GITHUB}/thirdweb-dev/js/issues/275",
        -32602,
        "eth_getLogs and eth_newFilter are limited to a 10,000 blocks range",
        None,
        ProviderRejection("range", 10_000),
    ),
    (
        "QuickNode",
        f"{GITHUB}/foundry-rs/foundry/issues/4894",
        -32007,
        "100/second request limit reached - reduce calls per second or upgrade your account at quicknode.com",
        None,
        ProviderRejection("rate", 100),
    ),
    (
        "Ankr",
        f"{GITHUB}/ponder-sh/ponder/issues/1940",
        -32602,
        "maximum [from, to] blocks distance: 10000",
        None,
        ProviderRejection("range", 10_000),
    ),
    (
        "Chainstack",
        f"{GITHUB}/matter-labs/zksync-era/pull/2974",
        -32602,
        "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits",
        None,
        ProviderRejection("range"),
    ),
    (
        "dRPC",
        f"{GITHUB}/drpcorg/nodecore/pull/327",
        15,
        "You reached Public endpoint rate limit, please upgrade to paid plan",
        None,
        ProviderRejection("rate"),
    ),
    (
        "Nodies",
        f"{GITHUB}/MASQ-Project/MASQ-Node-issues/issues/813",
        -32602,
        "query exceeds max block range 100000",
        None,
        ProviderRejection("range", 100_000),
    ),
    (
        "Nodies",
        f"{GITHUB}/MASQ-Project/Node/issues/734",
        -32001,
        "Block range too large: maximum allowed is 20000 blocks",
        None,
        ProviderRejection("range", 20_000),
    ),
    (
        "Alchemy",
        f"{GITHUB}/enviodev/hyperindex/issues/716",
        -32000,
        "block range too large (2500), maximum allowed is 2000 blocks",
        None,
        ProviderRejection("range", 2000),
    ),
    (
        "Base",
        f"{GITHUB}/rainlanguage/raindex/issues/1662",
        -32016,
        "over rate limit",
        None,
        ProviderRejection("rate"),
    ),
    (
        "BNB Chain",
        f"{GITHUB}/AlphaWallet/alpha-wallet-android/issues/2736",
        -32000,
        "exceed maximum block range: 5000",
        None,
        ProviderRejection("range", 5000),
    ),
    (
        "Tenderly",
        f"{GITHUB}/bobanetwork/boba_legacy/issues/827",
        -32602,
        "invalid params",
        TENDERLY,
        ProviderRejection("range", 2000),
    ),
    (
        "Morph",
        f"{GITHUB}/enviodev/hyperindex/issues/605",
        -32000,
        "block range is larger than max block range, block range = 5120, max block range = 5000",
        None,
        ProviderRejection("range", 5000),
    ),
    (
        "Moonbeam",
        f"{GITHUB}/moonbeam-foundation/moonbeam/pull/3250",
        -32000,
        "block range is too wide (maximum 1024)",
        None,
        ProviderRejection("range", 1024),
    ),
    (
        "Scroll",
        f"{GITHUB}/scroll-tech/go-ethereum/pull/529",
        -32000,
        "block range is bigger than maxBlockRange",
        None,
        ProviderRejection("range"),
    ),
    ("Geth", f"{GITHUB}/base/node/issues/234", -32600, "batch too large", None, ProviderRejection("batch")),
    (
        "Erigon",
        f"{GITHUB}/erigontech/erigon/issues/7072",
        -32000,
        "batch limit 100 exceeded: 142 requests given",
        None,
        ProviderRejection("batch", 100),
    ),
    (
        "Besu",
        f"{GITHUB}/besu-eth/besu/issues/4951",
        -32602,
        "Number of requests in batch exceeds --rpc-max-batch-size.",
        None,
        ProviderRejection("batch"),
    ),
    (
        "Geth",
        f"{GITHUB}/ethereum/go-ethereum/blob/master/rpc/errors.go",
        -32601,
        "the method eth_getBlockReceipts does not exist/is not available",
        None,
        ProviderRejection("method"),
    ),
]
CLIENTS = {"Besu", "Erigon", "Geth", "Moonbeam", "Scroll"}
"""The node programs whose error messages are the same for every operator."""
PUBLIC = {"Base", "BNB Chain", "Morph"}
"""The chains whose developers operate a public endpoint. Clients need no account for it."""
OTHERS = (
    "header not found",
    "unknown block",
    "missing trie node: state is not available",
    "execution reverted: at most 5 requests in one batch",
    "insufficient funds for gas * price + value: balance 0, tx cost 500",
    "max fee per gas less than block base fee",
    "exceeds block gas limit",
    "max initcode size exceeded: code size 49153 limit 49152",
    "replacement transaction underpriced",
    "nonce too low: next nonce 5, tx nonce 4",
    "already known",
)


@pytest.mark.parametrize(
    ("code", "text", "data", "rejection"), [one[2:] for one in RECORDED], ids=[f"{one[0]} {one[1]}" for one in RECORDED]
)
def test_a_recorded_rejection_is_read(code: int, text: str, data: Any, rejection: ProviderRejection) -> None:
    assert rejection_of(RpcError(code, text, data)) == rejection


def test_eight_hosted_providers_are_recorded_each_with_its_page() -> None:
    hosted = {one[0] for one in RECORDED} - CLIENTS - PUBLIC
    assert len(hosted) >= 8, hosted
    assert all(one[1].startswith(f"{GITHUB}/") for one in RECORDED)
    assert len({one[1:4] for one in RECORDED}) == len(RECORDED), "each once"


@pytest.mark.parametrize("text", OTHERS)
def test_another_error_is_no_rejection(text: str) -> None:
    assert rejection_of(RpcError(-32000, text)) is None
