"""Writes the reference pages, or with `--check` says which are not what they would be now."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.reference.command_line import cli, settings
from docs.reference.contracts import events
from docs.reference.data import replay, sql
from docs.reference.http import http
from docs.reference.websocket import live

FOLDER = Path(__file__).parent
PAGES = {
    "cli": cli,
    "settings": settings,
    "http": http,
    "websocket": live,
    "events": events,
    "sql": sql,
    "replay": replay,
}


def main() -> int:
    made = {FOLDER / f"{name}.md": page() for name, page in PAGES.items()}
    old = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        if old:
            print(f"Not up to date: {', '.join(path.name for path in old)}. Run `python -m docs.reference`.")
        return int(bool(old))
    for path in old:
        path.write_text(made[path], "utf-8")
    return 0


sys.exit(main())
