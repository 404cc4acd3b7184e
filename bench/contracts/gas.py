"""Gas of each call of each game, beside the figure of its rules sheet: a module a game in `bench/contracts/games`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from indexer.games import MODULES


def main() -> None:
    for module in MODULES:
        name = f"bench.contracts.games.{module}"
        if find_spec(name) is None:
            print(f"{module}: not measured; bench/contracts/games/{module}.py would do it")
        else:
            import_module(name).main()
        print()


if __name__ == "__main__":
    main()
