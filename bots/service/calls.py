"""Turns computer players' choices into contract calls with an address, data, value and gas."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from eth_abi.exceptions import EncodingError
from eth_utils.abi import collapse_if_tuple

from bots.opponent import Choice
from contracts.abi import MAX_GAS, decode_result, encode_call
from contracts.artifacts import load
from indexer.gamekit.game import Action, Game
from indexer.gamekit.names import parse_address
from indexer.model import Json


class BadChoice(ValueError):
    """A computer player's choice can't be turned into a contract call. The message explains why."""


@dataclass(frozen=True, slots=True)
class ContractCall:
    """A contract call. `value` is in wei. `gas` is a gas limit that suffices in every case."""

    to: str
    data: str
    value: int
    gas: int


class GameCalls:
    """Builds the contract calls of one game. The gateway supplies only the contracts' addresses,
    from the game's object in `GET /api/games`. If `allowed` is given, it contains the only
    addresses that may be called. Functions and gas limits come from our own game and artifact."""

    def __init__(self, game: Game, listed: Json, allowed: Collection[str] | None = None) -> None:
        self.game = game
        self._abi = load(game.contract).abi
        self._allowed = allowed
        self._deployments = [
            (parse_address(one["address"]), int(one["endMatch"]) if "endMatch" in one else None)
            for one in listed["deployments"]
        ]

    def has(self, action: str) -> bool:
        return any(one.name == action for one in self.game.actions)

    def encode(self, match: int | None, board: Json, choice: Choice, joins: bool = False) -> ContractCall:
        """Return the contract call for a choice. If `match` is None, the call opens a match.
        `joins` is True if the call joins a match. Only calls that open or join a match include a
        deposit. Raises BadChoice."""
        arguments: Mapping[str, Any] = choice.arguments if match is None else {"matchId": match, **choice.arguments}
        functions = [one for one in self._abi if one["type"] == "function" and one["name"] == choice.action]
        named = [one for one in functions if {each["name"] for each in one["inputs"]} == set(arguments)]
        action = next((one for one in self.game.actions if one.name == choice.action), None)
        if not named or action is None:
            raise BadChoice(f"{choice.action}({', '.join(choice.arguments)}) is not an action of the game")
        try:
            values = [abi_value(one, arguments[one["name"]]) for one in named[0]["inputs"]]
            data = encode_call(self._abi, choice.action, values)
        except (EncodingError, TypeError, ValueError, OverflowError) as error:
            raise BadChoice(f"{choice.action}: {error}") from error
        value = deposit(action, board) if joins or match is None else 0
        return ContractCall(self._address(match), data, value, min(action.gas_limit(board), MAX_GAS))

    def view(self, match: int, name: str) -> Json:
        """Return the parameters of the `eth_call` that reads a contract's view of the match. Raises
        BadChoice if the match's contract is unknown or not allowed."""
        return {"to": self._address(match), "data": encode_call(self._abi, name, [match])}

    def decode_view(self, name: str, result: str) -> Any:
        """Decode what a view has returned. Raises eth_abi's DecodingError or ValueError."""
        return decode_result(self._abi, name, 1, result)

    def _address(self, match: int | None) -> str:
        for address, end in self._deployments:
            if end is None or (match is not None and match < end):
                if self._allowed is not None and address not in self._allowed:
                    raise BadChoice(f"{address} is not one of the contracts that the computer players may call")
                return address
        raise BadChoice(f"no contract holds match {match}")


def deposit(action: Action, board: Json) -> int:
    """Return the ether to deposit with a call, in wei. Return 0 if the deposit is in a token."""
    if action.deposit is None or action.deposit.token in board:
        return 0
    return int(board.get(action.deposit.amount, 0))


def abi_value(parameter: Json, value: Any) -> Any:
    """Convert an argument to the type that the ABI encoder expects. The argument can contain bytes
    as 0x hex, and integers as decimal strings."""
    kind = collapse_if_tuple(parameter)
    if kind.startswith("bytes") and isinstance(value, str):
        return bytes.fromhex(value.removeprefix("0x"))
    return int(value) if "int" in kind and isinstance(value, str) else value
