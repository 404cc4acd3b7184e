"""A game's deployed contract. Builds transactions to it, and requests that call its views."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.service.calls import abi_value
from chaos.game import Move
from contracts.abi import decode_result, encode_call
from indexer.model import Json

GAS = hex(2**24)


@dataclass(frozen=True)
class DeployedContract:
    """A game's contract at an address."""

    game: str
    address: str
    abi: list[Json]
    height: int

    def transaction(self, sender: str, move: Move) -> Json:
        """Return a transaction that makes a move. Its gas limit is fixed, so the transaction is
        mined even if the contract rejects the move."""
        data = encode_call(self.abi, move.function, move.arguments)
        return {"from": sender, "to": self.address, "data": data, "gas": GAS, "value": hex(move.wei)}

    def positional(self, function: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the arguments in the order of the function's parameters. Bytes can be 0x hex."""
        [found] = [one for one in self.abi if one["type"] == "function" and one["name"] == function]
        return tuple(abi_value(one, arguments[one["name"]]) for one in found["inputs"])

    def view_call(self, function: str, *arguments: Any, at: object = "latest") -> tuple[str, list[Any]]:
        """Return the method and parameters of the JSON-RPC request that calls a view."""
        return "eth_call", [{"to": self.address, "data": encode_call(self.abi, function, arguments)}, at]

    def decode_view(self, function: str, answer: str, arguments: int = 0) -> Any:
        """Decode what a view has returned. `arguments` is the number of arguments that the view
        takes."""
        return decode_result(self.abi, function, arguments, answer)


def contracts_in(manifest: Path) -> tuple[str | None, list[DeployedContract]]:
    """Read a deployment manifest. Return the genesis hash and each game's newest contract.

    Return (None, []) if the file isn't a valid manifest or doesn't exist."""
    try:
        written = json.loads(manifest.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None, []
    newest = {
        one["game"]: DeployedContract(one["game"], one["address"], one["abi"], one["height"])
        for one in written["games"]
    }
    return written["genesis"], list(newest.values())
