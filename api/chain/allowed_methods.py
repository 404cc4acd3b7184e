"""The JSON-RPC methods that the gateway forwards to the chain's node, each with a check of its
parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

from contracts.abi import MAX_GAS
from indexer.gamekit.names import ADDRESS
from transactions.l1_fee import GAS_PRICE_ORACLE, GET_L1_FEE

Params: TypeAlias = list[Any]

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
REJECTED = -32003
LIMIT_EXCEEDED = -32005

L1_FEE_ORACLE = GAS_PRICE_ORACLE.lower()
"""The address of the contract that returns L1 fees on OP-stack chains. Clients may call this
address on any chain. Other chains have no code there, so the call returns nothing."""
MAX_LOG_BLOCKS = 10_000
MAX_FEE_BLOCKS = 1024
MAX_PERCENTILES = 100
MAX_FEES = 5000
"""The maximum number of values in a fee history: the number of its blocks times the number of
percentiles."""
MAX_TOPICS = 32
"""The maximum number of values that a log filter may list for one topic."""

QUANTITY = re.compile("0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})")
HASH = re.compile("0x[0-9a-fA-F]{64}")
DATA = re.compile("0x([0-9a-fA-F]{2})*")
CODE_HASH = re.compile("0x73[0-9a-f]{40}3f60205260406000f3", re.IGNORECASE)
"""A pattern for EVM code that returns the hash of a contract's code. The page runs this code with
eth_call instead of requesting the contract's code, which is much longer than the hash
(known-contracts.js)."""
TAGS = frozenset({"latest", "pending", "safe", "finalized", "earliest"})
CALL_FIELDS: Mapping[str, re.Pattern[str]] = {
    "from": ADDRESS,
    "to": ADDRESS,
    "data": DATA,
    "input": DATA,
    **dict.fromkeys(("gas", "value", "nonce", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "chainId"), QUANTITY),
    "type": re.compile("0x0?[0-2]"),
}


class CallRejected(Exception):
    """A call that the gateway doesn't forward to the node. The client gets a JSON-RPC error
    instead."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits for a call. `contracts` are our contracts, in lower-case 0x hex. `tokens` contains
    the called address if it is an allowed token, and is empty otherwise. `head` is the height of
    the newest block. `gas` is the gas limit of a call that sets none."""

    contracts: Set[str]
    head: int
    gas: int
    tokens: Set[str] = frozenset()


Check: TypeAlias = Callable[[str, Params, CallLimits], Params]
"""A function `(method, parameters, limits) -> parameters`. It returns the parameters to forward to
the node. Raises CallRejected if the sent parameters are not allowed."""


def _require(valid: bool, message: str) -> None:
    if not valid:
        raise CallRejected(INVALID_PARAMS, message)


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _check_no_params(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(not params, f"{method} takes no parameters.")
    return []


def _check_block(value: Any) -> Any:
    """Check that a value names a block: a tag, a number, or an object as in EIP-1898."""
    if isinstance(value, dict) and len(value) <= 2:
        by_hash = _matches(HASH, value.get("blockHash")) and isinstance(value.get("requireCanonical", False), bool)
        by_number = set(value) == {"blockNumber"} and _matches(QUANTITY, value["blockNumber"])
        _require(
            (by_hash and set(value) <= {"blockHash", "requireCanonical"}) or by_number,
            "A block object must have a blockHash or a blockNumber.",
        )
        return value
    known = isinstance(value, str) and (value in TAGS or _matches(QUANTITY, value))
    _require(known, f"A block must be a number as 0x hex or one of these tags: {', '.join(sorted(TAGS))}.")
    return value


def _check_get_block(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(
        len(params) in (1, 2),
        f"{method} takes a block and, optionally, true for full transactions or false for their hashes.",
    )
    full = params[1] if len(params) == 2 else False
    _require(isinstance(full, bool), f"{method}: the second parameter must be true or false.")
    if method.endswith("Hash"):
        _require(_matches(HASH, params[0]), f"{method}: the first parameter must be a block hash.")
        return [params[0], full]
    return [_check_block(params[0]), full]


def _check_account(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(len(params) in (1, 2) and _matches(ADDRESS, params[0]), f"{method} takes an address and a block.")
    return [params[0], _check_block(params[1]) if len(params) == 2 else "latest"]


def _check_hash(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(len(params) == 1 and _matches(HASH, params[0]), f"{method} takes a transaction hash.")
    return params


def _check_call(method: str, params: Params, limits: CallLimits) -> Params:
    if method == "eth_estimateGas" and len(params) == 1:
        # ethers and web3.py estimate the gas in the block "pending", because the transaction will
        # run in the next block
        params = [*params, "pending"]
    _require(
        len(params) == 2, f"{method} takes exactly two parameters: a call and a block. State overrides are not allowed."
    )
    call, block = params
    _require(isinstance(call, dict), f"{method}: the first parameter must be an object.")
    call = {key: value for key, value in call.items() if value is not None}
    for key, value in call.items():
        _require(key in CALL_FIELDS, f"{method}: the field {key[:40]!r} is not allowed.")
        _require(_matches(CALL_FIELDS[key], value), f"{method}: the field {key} has an invalid value.")
    to = str(call.get("to", ""))
    data = call.get("input", call.get("data", "0x"))
    _require(
        call.get("data", data) == data,
        f"{method}: the fields data and input mean the same, so use only one of them.",
    )
    is_code_hash_call = method == "eth_call" and not to and _matches(CODE_HASH, data)
    _require(to != "" or is_code_hash_call, f"{method}: contracts can't be created through this server.")
    is_transfer = method == "eth_estimateGas" and data == "0x"
    is_l1_fee = (
        method == "eth_call" and to.lower() == L1_FEE_ORACLE and data.lower().startswith("0x" + GET_L1_FEE.hex())
    )
    if to.lower() not in limits.contracts | limits.tokens and not (is_transfer or is_l1_fee or is_code_hash_call):
        raise CallRejected(REJECTED, f"{method}: {to} is neither one of our contracts nor a token that a match uses.")
    gas = int(call.get("gas", hex(limits.gas)), 16)
    _require(gas <= MAX_GAS, f"{method}: a call may use at most {MAX_GAS} gas, not {gas}.")
    return [{**call, "gas": hex(gas)}, _check_block(block)]


def callee(method: str, params: Params) -> str | None:
    """Return the address that `eth_call` or `eth_estimateGas` calls, in lower case. Return None for
    other methods, for calls to the L1 fee oracle, and if the address can't be read."""
    if method not in ("eth_call", "eth_estimateGas"):
        return None
    to = params[0].get("to") if params and isinstance(params[0], dict) else None
    return str(to).lower() if _matches(ADDRESS, to) and str(to).lower() != L1_FEE_ORACLE else None


def gas_of(method: str, params: Any) -> int | None:
    """Return the gas limit in a call, or None if the call sets none. Return 0 for methods that run
    no code."""
    if method not in ("eth_call", "eth_estimateGas"):
        return 0
    gas = params[0].get("gas") if isinstance(params, list) and params and isinstance(params[0], dict) else None
    return int(str(gas), 16) if _matches(QUANTITY, gas) else None


def _check_fee_history(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(
        len(params) in (2, 3), f"{method} takes a number of blocks, the newest block and, optionally, percentiles."
    )
    count, block, *rest = params
    count = int(count, 16) if _matches(QUANTITY, count) else count
    valid = type(count) is int and 1 <= count <= MAX_FEE_BLOCKS
    _require(valid, f"{method}: the number of blocks must be from 1 to {MAX_FEE_BLOCKS}.")
    percentiles = rest[0] if rest and rest[0] is not None else []
    valid = (
        isinstance(percentiles, list)
        and len(percentiles) <= MAX_PERCENTILES
        and all(type(one) in (int, float) for one in percentiles)
    )
    _require(valid, f"{method}: the percentiles must be a list of at most {MAX_PERCENTILES} numbers.")
    requested = count * len(percentiles)
    _require(
        requested <= MAX_FEES,
        f"{method}: {count} blocks with {len(percentiles)} percentiles each are {requested} values, but at most "
        f"{MAX_FEES} are allowed.",
    )
    return [hex(count), _check_block(block), percentiles]


def _check_logs(method: str, params: Params, limits: CallLimits) -> Params:
    _require(len(params) == 1 and isinstance(params[0], dict), f"{method} takes one filter.")
    log_filter = {key: value for key, value in params[0].items() if value is not None}
    unknown = set(log_filter) - {"address", "topics", "fromBlock", "toBlock", "blockHash"}
    _require(not unknown, f"{method}: the filter has unknown fields: {', '.join(sorted(unknown))[:100]}.")
    where = (
        _check_block_hash(log_filter) if "blockHash" in log_filter else _check_range(method, log_filter, limits.head)
    )
    topics = log_filter.get("topics", [])
    _require(
        _are_topics(topics),
        f"{method}: topics may have at most 4 items. Each must be null, a hash, or a list of at most "
        f"{MAX_TOPICS} hashes.",
    )
    return [{"address": _check_addresses(method, log_filter.get("address"), limits), "topics": topics, **where}]


def _check_block_hash(log_filter: dict[str, Any]) -> dict[str, Any]:
    valid = _matches(HASH, log_filter["blockHash"]) and not {"fromBlock", "toBlock"} & set(log_filter)
    _require(valid, "A filter must have either a blockHash or a range of blocks, not both.")
    return {"blockHash": log_filter["blockHash"]}


def _check_range(method: str, log_filter: dict[str, Any], head: int) -> dict[str, Any]:
    ends = [_check_block(log_filter.get(end, "latest")) for end in ("fromBlock", "toBlock")]
    _require(
        all(isinstance(end, str) for end in ends),
        f"{method}: fromBlock and toBlock must be numbers as 0x hex, or tags such as latest.",
    )
    first, last = [0 if end == "earliest" else head if end in TAGS else int(end, 16) for end in ends]
    if min(last, head) - first >= MAX_LOG_BLOCKS:
        raise CallRejected(
            LIMIT_EXCEEDED, f"{method}: a range may have at most {MAX_LOG_BLOCKS} blocks, not {last - first + 1}."
        )
    return {"fromBlock": ends[0], "toBlock": ends[1]}


def _check_addresses(method: str, address: Any, limits: CallLimits) -> list[str]:
    if address is None:
        return sorted(limits.contracts)
    addresses = address if isinstance(address, list) else [address]
    _require(
        bool(addresses) and all(_matches(ADDRESS, one) for one in addresses),
        f"{method}: the filter's address must be one address or a list of addresses.",
    )
    foreign = [one for one in addresses if one.lower() not in limits.contracts]
    if foreign:
        raise CallRejected(REJECTED, f"{method}: {foreign[0]} is not one of our contracts.")
    return addresses


def _are_topics(topics: Any) -> bool:
    """Return True if each topic of a log filter is a hash, null (which matches any topic), or a
    list of hashes. Deeper nesting would break the node's parser."""

    def alternatives(one: Any) -> bool:
        return isinstance(one, list) and len(one) <= MAX_TOPICS and all(map(_is_topic, one))

    return isinstance(topics, list) and len(topics) <= 4 and all(_is_topic(one) or alternatives(one) for one in topics)


def _is_topic(one: Any) -> bool:
    return one is None or _matches(HASH, one)


def _check_raw_transaction(method: str, params: Params, _limits: CallLimits) -> Params:
    _require(len(params) == 1 and _matches(DATA, params[0]), f"{method} takes a signed transaction as 0x hex.")
    return params


CHECKS: Mapping[str, Check] = {
    **dict.fromkeys(
        ("eth_chainId", "net_version", "eth_blockNumber", "eth_gasPrice", "eth_maxPriorityFeePerGas"), _check_no_params
    ),
    "eth_getBlockByNumber": _check_get_block,
    "eth_getBlockByHash": _check_get_block,
    "eth_call": _check_call,
    "eth_estimateGas": _check_call,
    "eth_getTransactionCount": _check_account,
    "eth_getBalance": _check_account,
    "eth_getCode": _check_account,
    "eth_getTransactionReceipt": _check_hash,
    "eth_getTransactionByHash": _check_hash,
    "eth_feeHistory": _check_fee_history,
    "eth_getLogs": _check_logs,
    "eth_sendRawTransaction": _check_raw_transaction,
}
"""The allowed methods, each with the check of its parameters. The gateway reports any other method
as unknown."""
