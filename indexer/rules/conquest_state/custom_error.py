"""The error that the rules raise where the contract rejects a call."""

from __future__ import annotations

from indexer.rules.call import IllegalMove


class CustomError(IllegalMove):
    """A custom error of the contract. `args`: the error's name and values, in the order of the
    ABI."""

    def __init__(self, name: str, *values: int | str) -> None:
        super().__init__(name, *values)

    def __str__(self) -> str:
        name, *values = self.args
        return f"{name}({', '.join(map(str, values))})"
