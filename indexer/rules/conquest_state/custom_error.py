"""The error that is raised if the contract would reject a call."""

from __future__ import annotations

from indexer.rules.call import IllegalMove


class CustomError(IllegalMove):
    """An error that the contract defines. `args`: its name, and its values in the ABI's order."""

    def __init__(self, name: str, *values: int | str) -> None:
        super().__init__(name, *values)

    def __str__(self) -> str:
        name, *values = self.args
        return f"{name}({', '.join(map(str, values))})"
