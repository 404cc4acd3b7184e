"""The history contract of EIP-2935 (https://eips.ethereum.org/EIPS/eip-2935), where a test wants another one.

Anvil has it and fills it, but slows down with each hash that it holds: 8,191 blocks take it about a minute. Before
Prague it has none and mines them in a moment; there a test lays the contract's own code and the hashes it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.contracts.support.node import Node

ADDRESS = "0x0000F90827F1C53a10cb7A02335B175320002935"
REACH = 8191
"""HISTORY_SERVE_WINDOW: from the block before this one, so many blocks back."""
CODE = (
    "0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311"
    "604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500"
)


def lay(node: Node, code: str = CODE) -> None:
    node.rpc("anvil_setCode", ADDRESS, code)


def record(node: Node, number: int) -> None:
    """What the chain writes at the beginning of the block after this one."""
    slot, block = number % REACH, node.rpc("eth_getBlockByNumber", hex(number), False)
    node.rpc("anvil_setStorageAt", ADDRESS, f"0x{slot:064x}", block["hash"])


@contextmanager
def missing(node: Node) -> Iterator[None]:
    """As on a chain that knows no history."""
    lay(node, "0x")
    try:
        yield
    finally:
        lay(node)
