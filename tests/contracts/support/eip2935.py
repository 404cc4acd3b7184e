"""Installs the history contract of EIP-2935, which returns past block hashes, on chains that lack
it (https://eips.ethereum.org/EIPS/eip-2935).

By default, Anvil has this contract and stores each block's hash in it. Anvil is therefore slower:
8,191 blocks take about a minute. If Anvil runs a hard fork before Prague, it lacks the contract and
mines the same number of blocks in a moment. On these chains, tests install the contract's code and
store only the hashes that they need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.contracts.support.node import Node

ADDRESS = "0x0000F90827F1C53a10cb7A02335B175320002935"
WINDOW = 8191
"""The number of past blocks whose hashes the contract returns. EIP-2935 calls it
HISTORY_SERVE_WINDOW."""
CODE = (
    "0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311"
    "604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500"
)


def install(node: Node, code: str = CODE) -> None:
    node.rpc("anvil_setCode", ADDRESS, code)


def record(node: Node, number: int) -> None:
    """Store the hash of a block in the history contract. A real chain does this at the beginning of
    the next block."""
    slot, block = number % WINDOW, node.rpc("eth_getBlockByNumber", hex(number), False)
    node.rpc("anvil_setStorageAt", ADDRESS, f"0x{slot:064x}", block["hash"])


@contextmanager
def missing(node: Node) -> Iterator[None]:
    """Remove the history contract inside the `with` block, as on a chain that doesn't have it."""
    install(node, "0x")
    try:
        yield
    finally:
        install(node)
