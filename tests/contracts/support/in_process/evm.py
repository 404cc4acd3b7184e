"""A chain inside the test process. It runs on pyrevm and has the same interface as `AnvilNode`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak
from pyrevm import ExecutionResult

from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.in_process.evm_state import BLOCK_GAS, EvmState, Snapshot, randomness
from tests.contracts.support.node import GAS

MAX_GAS = 2**24
"""The maximum gas limit of a transaction, from EIP-7825."""
BALANCE = 10**27
"""The initial balance of an account, in wei."""
NOBODY = "0x" + 40 * "0"
REVERTED, TOO_MUCH_GAS, NO_STATE, BAD_TIME, REJECTED, HALTED = 3, -32000, -32001, -32602, -32003, -32603
"""The codes of this chain's errors. If Anvil has a code for an error, this chain uses the same
code."""

_OUTPUT = re.compile(r"output: (0x[0-9a-f]*)")

Request = Mapping[str, Any]
"""A call in the format of JSON-RPC."""


class Evm:
    """A chain that executes transactions and answers JSON-RPC requests.

    Each transaction gets its own block, one second after the previous block. This chain differs
    from a node in the following ways. Tests that need a node have the marker `anvil`.

    - Calls use less gas than on a node, because accounts and slots stay warm between transactions.
      Gas costs no ether.
    - A block's hash depends only on the block's number, so the hashes repeat after `evm_revert`.
    - Accounts can't delegate their code (EIP-7702).
    - There are no signed transactions, no traces, no transaction pool and no past states. Calls use
      the newest state."""

    def __init__(self, accounts: int | Sequence[str] = 10, *, genesis: int = 1_800_000_000) -> None:
        """`accounts` is a number of accounts or a list of addresses. `genesis` is the first block's
        time, in seconds since 1970."""
        self._state = EvmState()
        self._times = [genesis]
        """The time of each block. The index is the block's number."""
        self._next_time: int | None = None
        self._unchanged = 0
        """The number of the oldest block whose state equals the newest state."""
        self._logs: list[dict[str, Any]] = []
        self._receipts: dict[str, dict[str, Any]] = {}
        """The receipts, which also have the fields of their transactions. The key is the
        transaction's hash."""
        self._snapshots: dict[str, tuple[Snapshot, int, int, int]] = {}
        state = self._state
        self._methods: dict[str, Callable[..., Any]] = {
            "anvil_dropAllTransactions": lambda: None,
            "anvil_mine": lambda blocks: self.mine(int(blocks, 16)),
            "anvil_setBalance": lambda address, wei: self._set(state.set_balance, address, int(wei, 16)),
            "anvil_setCode": lambda address, code: self._set(state.set_code, address, _code(code)),
            "anvil_setStorageAt": lambda address, slot, value: self._set(
                state.set_storage, address, int(slot, 16), int(value, 16)
            ),
            "eth_blockNumber": lambda: hex(self.height),
            "eth_call": self._call,
            "eth_getBalance": lambda address, _block: hex(state.balance(address)),
            "eth_getBlockByNumber": self._block,
            "eth_getCode": lambda address, _block: "0x" + state.code(address).hex(),
            "eth_getLogs": lambda wanted: [log for log in self._logs if log["address"] == wanted["address"].lower()],
            "eth_getStorageAt": lambda address, slot, _block: _word(state.storage(address, int(slot, 16))),
            "eth_getTransactionByHash": self._receipts.get,
            "eth_getTransactionReceipt": self._receipts.get,
            "eth_simulateV1": self._simulate,
            "evm_revert": self._revert,
            "evm_setNextBlockTimestamp": self._set_next_time,
            "evm_snapshot": self._snapshot,
        }
        self.accounts = [*map(_account, range(accounts))] if isinstance(accounts, int) else [*accounts]
        for account in self.accounts:
            state.set_balance(account, BALANCE)

    def close(self) -> None:
        """Do nothing. Unlike an Anvil node, this chain has no process that must be ended."""

    def rpc(self, method: str, *params: Any) -> Any:
        return self._methods[method](*params)

    def batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        return [self.rpc(*request) for request in requests]

    def raw_batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: tuple[Any, ...]) -> dict[str, Any]:
        try:
            return {"result": self.rpc(*request)}
        except AnvilError as error:
            return {"error": {"code": error.code, "message": error.message, "data": error.data}}

    # ---- blocks

    @property
    def height(self) -> int:
        return len(self._times) - 1

    def mine(self, blocks: int = 1) -> None:
        for _ in range(blocks):
            self._times.append(self._next_block_time)
            self._next_time = None

    @property
    def _next_block_time(self) -> int:
        return self._times[-1] + 1 if self._next_time is None else self._next_time

    def _set_next_time(self, time: int) -> None:
        if time < self._times[-1]:
            raise AnvilError(BAD_TIME, "the next block would be older than the last one", "0x")
        self._next_time = time

    def _block(self, tag: str, _whole: bool) -> dict[str, Any] | None:
        number = self.height if tag == "latest" else int(tag, 16)
        if number > self.height:
            return None
        time = self._times[number]
        parent = self._state.block_hash(number - 1) if number else _word(0)
        about = {"number": hex(number), "timestamp": hex(time), "mixHash": "0x" + randomness(number, time).hex()}
        return {**about, "hash": self._state.block_hash(number), "parentHash": parent}

    # ---- transactions

    def send(self, sender: str, to: str | None, data: str, gas: int = GAS, value: int = 0) -> dict[str, Any]:
        """Execute a transaction in the next block. Return its receipt, even if the transaction
        failed.

        Raises AnvilError if the sender can't pay, or if the gas limit is above MAX_GAS."""
        if gas > MAX_GAS:
            raise AnvilError(TOO_MUCH_GAS, "the gas is above the cap", "0x")
        self._state.enter(self.height + 1, self._next_block_time)
        created = None
        try:
            if to is None:
                created = self._state.deploy(sender, bytes.fromhex(data[2:]), value, gas)
            else:
                self._state.message(sender, to, bytes.fromhex(data[2:]), value, gas)
        except RuntimeError as error:
            if self._state.result is None:
                raise _error(error) from None
        self.mine()
        result = self._state.result
        assert result is not None
        if result.is_success:
            self._unchanged = self.height
        return self._receipt({"from": sender, "to": to, "input": data, "contractAddress": created}, result)

    def _receipt(self, sent: dict[str, Any], result: ExecutionResult) -> dict[str, Any]:
        digest = _word(self.height)
        place = self._place(self.height, self._times[-1])
        logs = _logs(result, place)
        self._logs += logs
        gas = {"gasUsed": hex(result.gas_used), "effectiveGasPrice": "0x0"}
        receipt = {**sent, **place, **gas, "status": hex(result.is_success), "logs": logs}
        self._receipts[digest] = receipt
        return receipt

    def _place(self, number: int, time: int) -> dict[str, str]:
        """Return the fields that identify the block's only transaction. Receipts and logs contain
        these fields."""
        about = {"blockNumber": hex(number), "blockTimestamp": hex(time), "blockHash": self._state.block_hash(number)}
        return {**about, "transactionHash": _word(number), "transactionIndex": "0x0"}

    # ---- calls

    def _call(self, call: Request, tag: str, state: Request | None = None, block: Request | None = None) -> str:
        """Execute a call in the newest block (`latest`) or in the next block (`pending`), and
        return the result.

        `block` can give a different number and time for the block."""
        assert not state, "this chain can't override states"
        numbers = {"latest": self.height, "pending": self.height + 1}
        number = numbers[tag] if tag in numbers else int(tag, 16)
        if number < self._unchanged:
            raise AnvilError(NO_STATE, f"the state of block {number} is gone", "0x")
        time = self._next_block_time if number > self.height else self._times[number]
        other = block or {}
        self._state.enter(int(other.get("number", hex(number)), 16), int(other.get("time", hex(time)), 16))
        with self._state.undone():
            try:
                return "0x" + self._executed(call).hex()
            except RuntimeError as error:
                raise _error(error) from None

    def _executed(self, call: Request) -> bytes:
        sender, data = call.get("from", NOBODY), bytes.fromhex(call.get("data", "0x")[2:])
        value, gas = int(call.get("value", "0x0"), 16), int(call.get("gas", hex(BLOCK_GAS)), 16)
        return self._state.message(sender, call["to"], data, value, gas)

    def _simulate(self, simulated: Request, _tag: str) -> list[dict[str, Any]]:
        """Simulate blocks after the newest block, and return the results of their calls. The chain
        itself doesn't change."""
        number, time, answers = self.height, self._times[-1], []
        with self._state.undone():
            for block in simulated["blockStateCalls"]:
                number, time = number + 1, int(block.get("blockOverrides", {}).get("time", hex(time + 1)), 16)
                self._state.enter(number, time)
                place = self._place(number, time)
                answers.append({"calls": [self._simulated(call, place) for call in block["calls"]]})
        return answers

    def _simulated(self, call: Request, place: dict[str, str]) -> dict[str, Any]:
        try:
            answer = "0x" + self._executed(call).hex()
        except RuntimeError as error:
            answer = _error(error).data
        result = self._state.result
        assert result is not None
        told = {"status": hex(result.is_success), "returnData": answer, "gasUsed": hex(result.gas_used)}
        return {**told, "logs": _logs(result, place)}

    # ---- direct changes, snapshots and reverts

    def _set(self, change: Callable[..., None], *values: Any) -> None:
        # `remember` first stores the hashes of earlier blocks. Otherwise, the next block would
        # overwrite a test's changes to the history contract.
        self._state.remember(self.height)
        self._unchanged = self.height
        change(*values)

    def _snapshot(self) -> str:
        name = hex(len(self._snapshots))
        self._snapshots[name] = self._state.snapshot(), self.height, self._unchanged, len(self._logs)
        return name

    def _revert(self, name: str) -> bool:
        snapshot, height, self._unchanged, logs = self._snapshots.pop(name)
        self._state.revert(snapshot)
        del self._times[height + 1 :], self._logs[logs:]
        self._next_time = None
        return True


def _error(error: RuntimeError) -> AnvilError:
    """Convert an error from pyrevm. The revert data is only a part of pyrevm's message."""
    if found := _OUTPUT.search(text := str(error)):
        return AnvilError(REVERTED, "execution reverted", found[1])
    return AnvilError(REJECTED if text.startswith("Transaction") else HALTED, text, "0x")


def _logs(result: ExecutionResult, place: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"address": log.address.lower(), "topics": log.topics, "data": "0x" + log.data[1].hex(), "logIndex": hex(at)}
        | place
        for at, log in enumerate(result.logs)
    ]


def _code(code: str) -> bytes:
    assert not code.startswith("0xef0100"), "pyrevm doesn't support delegations"
    return bytes.fromhex(code[2:])


def _word(value: int) -> str:
    return f"0x{value:064x}"


@cache
def _account(number: int) -> str:
    return to_checksum_address(keccak(text=f"account {number}")[12:])
