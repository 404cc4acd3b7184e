"""All figures, one table after the other; name some to have only these: `python -m bench latency start`."""

import sys
from importlib import import_module

ALL = (
    *("gas", "captains", "latency", "moves", "start", "backfill"),
    *("live", "fanout", "restart", "jump", "questions", "page"),
)
NAMED = ("age", "backfill_large", "siege", "churn")
"""Only when named: they take minutes."""

if __name__ == "__main__":
    for name in sys.argv[1:] or ALL:
        if name not in ALL + NAMED:
            sys.exit(f"There is no bench {name!r}; there are {', '.join(ALL + NAMED)}.")
        import_module(f"bench.{name}").main()
        print()
