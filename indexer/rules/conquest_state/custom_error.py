"""The error that is raised if the contract would reject a call."""

from __future__ import annotations

from indexer.rules.call import IllegalMove


class CustomError(IllegalMove):
    """An error that the contract defines. `args`: the error's name, then its values in the order of
    the ABI."""

    def __init__(self, name: str, *values: int | str) -> None:
        super().__init__(name, *values)

    def __str__(self) -> str:
        name, *values = self.args
        return f"{name}({', '.join(map(str, values))})"
