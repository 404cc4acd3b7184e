"""Runs the named benchmarks or, without names, all benchmarks except those that take minutes:
`python -m bench latency start`.

Numbers after a name are the benchmark's arguments: `python -m bench fanout 60 1000` (seconds,
clients); `python -m bench restart 20000` (events, also for `jump` and `questions`); `python -m
bench age 1000` (matches).
"""

import sys
from importlib import import_module

ALL = {
    "gas": "contracts",
    "captains": "contracts",
    "costs": "contracts",
    "generator": "opponents",
    "latency": "gateway",
    "latency_server": "gateway",
    "moves": "gateway",
    "start": "startup",
    "backfill": "backfill",
    "live": "gateway",
    "fanout": "gateway",
    "restart": "startup",
    "jump": "queries",
    "questions": "queries",
    "frames": "frontend",
    "idle": "startup",
    "page": "startup",
}
"""The name and the folder of each benchmark. `page` comes last, because the run ends if `page`
misses a target."""
NAMED = {
    "age": "startup",
    "backfill_large": "backfill",
    "backfill_server": "backfill",
    "provider": "backfill",
    "questions_server": "queries",
    "siege": "gateway",
    "churn": "gateway",
    "capacity": "gateway",
    "strength": "opponents",
}
"""The benchmarks that take minutes. They run only if they are named on the command line."""

if __name__ == "__main__":
    runs: list[tuple[str, list[int]]] = []
    for one in sys.argv[1:] or ALL:
        if one.isdigit() and runs:
            runs[-1][1].append(int(one))
        elif one in ALL | NAMED:
            runs.append((one, []))
        else:
            sys.exit(f"There is no benchmark {one!r}. Choose from: {', '.join(ALL | NAMED)}.")
    for name, numbers in runs:
        module, _, part = name.partition("_")
        getattr(import_module(f"bench.{(ALL | NAMED)[name]}.{module}"), part or "main")(*numbers)
        print()
