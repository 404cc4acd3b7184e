"""A refusal of the contract: the error's name and its values."""

from __future__ import annotations

from indexer.rules.call import IllegalMove


class Refusal(IllegalMove):
    """`args`: the name, then the values in the order of the ABI."""

    def __init__(self, name: str, *values: int | str) -> None:
        super().__init__(name, *values)

    def __str__(self) -> str:
        name, *values = self.args
        return f"{name}({', '.join(map(str, values))})"
