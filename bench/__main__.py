"""All figures, one table after the other; name some to have only these: `python -m bench latency start`."""

import sys
from importlib import import_module

ALL = {
    "gas": "contracts",
    "captains": "contracts",
    "generator": "opponents",
    "latency": "gateway",
    "moves": "gateway",
    "start": "startup",
    "backfill": "backfill",
    "live": "gateway",
    "fanout": "gateway",
    "restart": "startup",
    "jump": "queries",
    "questions": "queries",
    "page": "startup",
}
"""Name and folder of each."""
NAMED = {
    "age": "startup",
    "backfill_large": "backfill",
    "siege": "gateway",
    "churn": "gateway",
    "strength": "opponents",
}
"""Only when named: they take minutes."""

if __name__ == "__main__":
    for name in [one for one in sys.argv[1:] if one != "--opponents"] or ALL:
        if name not in ALL | NAMED:
            sys.exit(f"There is no bench {name!r}; there are {', '.join(ALL | NAMED)}.")
        module, _, part = name.partition("_")
        getattr(import_module(f"bench.{(ALL | NAMED)[name]}.{module}"), part or "main")()
        print()
