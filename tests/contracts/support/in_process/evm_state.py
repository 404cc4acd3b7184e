"""The state of the chain inside the test process. It extends pyrevm with snapshots and direct
changes of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

from eth_utils.crypto import keccak
from pyrevm import EVM, AccountInfo, BlockEnv, CfgEnv, Env, ExecutionResult, JournalCheckpoint

from tests.contracts.support import eip2935
from tests.contracts.support.bytecode import sends_for, sent_by_driver

CHAIN_ID = 31337
BLOCK_GAS = 30_000_000
DRIVER, OWN_CODE = f"0x{0xD1:040x}", f"0x{0xC0DE:040x}"
"""DRIVER is the address that sends calls in the name of accounts with code. During such a call, the
account's own code is at the address OWN_CODE."""
PADDING = 33
"""The number of zero bytes that pyrevm appends to the code of a contract."""


class Snapshot(NamedTuple):
    checkpoint: JournalCheckpoint
    changes: int
    """The number of direct changes to the state before this snapshot."""
    remembered: int


class EvmState:
    """The state of a chain.

    `message` and `deploy` raise RuntimeError if a call reverts, runs out of gas or can't be
    started."""

    def __init__(self) -> None:
        self._evm = EVM(env=Env(cfg=CfgEnv(chain_id=CHAIN_ID)), gas_limit=BLOCK_GAS, spec_id="PRAGUE")
        self._changes: list[tuple[JournalCheckpoint, Callable[[], None]]] = []
        """The direct changes to the state. These changes are missing in pyrevm's journal. Each item
        has a checkpoint from before the change, and a function that undoes the change."""
        self._remembered = -1
        """The number of the newest block whose hash is in the history contract of EIP-2935."""
        self.set_code(eip2935.ADDRESS, bytes.fromhex(eip2935.CODE[2:]))

    # ---- blocks

    def enter(self, number: int, time: int) -> None:
        """Begin a block. The calls and transactions in it see this number, this time (in seconds
        since 1970), and a random value that depends on both."""
        block = BlockEnv(number=number, timestamp=time, prevrandao=randomness(number, time), gas_limit=BLOCK_GAS)
        self._evm.set_block_env(block)
        self.remember(number)

    def remember(self, number: int) -> None:
        """Store the hashes of all earlier blocks in the history contract of EIP-2935."""
        for past in range(max(self._remembered + 1, number - eip2935.WINDOW), number):
            past_hash = int.from_bytes(self._evm.block_hash(past))
            self._evm.insert_account_storage(eip2935.ADDRESS, past % eip2935.WINDOW, past_hash)
        self._remembered = max(self._remembered, number - 1)

    def block_hash(self, number: int) -> str:
        return "0x" + self._evm.block_hash(number).hex()

    # ---- calls

    def message(self, sender: str, to: str, data: bytes, value: int, gas: int) -> bytes:
        """Execute a call and return its result.

        If the sender has code, the call goes through DRIVER, because EIP-3607 forbids senders with
        code."""
        self._evm.reset_transient_storage()
        code = self.code(sender)
        if not code:
            return self._evm.message_call(sender, to, data, value, gas)
        self._put_code(OWN_CODE, code)
        self._put_code(sender, sends_for(DRIVER, OWN_CODE))
        try:
            return self._evm.message_call(DRIVER, sender, sent_by_driver(to, value, data), 0, gas)
        finally:
            self._put_code(sender, code)

    def deploy(self, sender: str, code: bytes, value: int, gas: int) -> str:
        self._evm.reset_transient_storage()
        return self._evm.deploy(sender, code, value, gas)

    @property
    def result(self) -> ExecutionResult | None:
        """The result of the last call, or None if that call couldn't start."""
        return self._evm.result

    # ---- accounts

    def balance(self, address: str) -> int:
        return self._evm.get_balance(address)

    def storage(self, address: str, slot: int) -> int:
        return self._evm.storage(address, slot)

    def code(self, address: str) -> bytes:
        code = self._evm.get_code(address) or b""
        padded = code and keccak(code) != self._evm.basic(address).code_hash
        return code[:-PADDING] if padded else code

    def set_balance(self, address: str, wei: int) -> None:
        before = self.balance(address)
        self._change(lambda: self._evm.set_balance(address, before))
        self._evm.set_balance(address, wei)

    def set_storage(self, address: str, slot: int, value: int) -> None:
        before = self.storage(address, slot)
        self._change(lambda: self._evm.insert_account_storage(address, slot, before))
        self._evm.insert_account_storage(address, slot, value)

    def set_code(self, address: str, code: bytes) -> None:
        before = self.code(address)
        self._change(lambda: self._put_code(address, before))
        self._put_code(address, code)

    def _put_code(self, address: str, code: bytes) -> None:
        """Change the code of an account. Write all fields, because pyrevm can only replace a whole
        account."""
        known = self._evm.basic(address)
        self._evm.insert_account_info(address, AccountInfo(nonce=known.nonce, code=code))
        self._evm.set_balance(address, known.balance)

    def _change(self, undo: Callable[[], Any]) -> None:
        self._changes.append((self._checkpoint(), undo))

    # ---- snapshots and reverts

    def snapshot(self) -> Snapshot:
        return Snapshot(self._checkpoint(), len(self._changes), self._remembered)

    def revert(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot. Afterwards, this snapshot and all later snapshots are invalid."""
        while len(self._changes) > snapshot.changes:
            before, undo = self._changes.pop()
            self._revert_to(before)
            undo()
        self._revert_to(snapshot.checkpoint)
        overwritten = self._remembered >= eip2935.WINDOW
        self._remembered = -1 if overwritten else snapshot.remembered

    @contextmanager
    def undone(self) -> Iterator[None]:
        """At the end of the `with` block, undo the calls in this block."""
        before = self._checkpoint()
        try:
            yield
        finally:
            self._revert_to(before)

    def _checkpoint(self) -> JournalCheckpoint:
        """Create a checkpoint and commit it immediately.

        Without the commit, pyrevm would treat everything after the checkpoint as a deeper call. The
        call depth is limited to 1,024."""
        checkpoint = self._evm.snapshot()
        self._evm.commit()
        return checkpoint

    def _revert_to(self, checkpoint: JournalCheckpoint) -> None:
        self._evm.snapshot()
        self._evm.revert(checkpoint)


def randomness(number: int, time: int) -> bytes:
    """Return the random value of a block (PREVRANDAO)."""
    return sha256(b"%d %d" % (number, time)).digest()
