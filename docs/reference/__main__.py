"""Writes the reference pages, and the copies of tables that the page uses. With `--check`, it only
reports outdated files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from docs.reference.command_line import cli, settings
from docs.reference.contracts import events
from docs.reference.data import replay, sql
from docs.reference.http import http
from docs.reference.websocket import live
from transactions.node_errors import TABLE

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
NODE_ERRORS = FOLDER.parents[1] / "frontend-static/server/node-error-table.js"


def node_errors() -> str:
    lines = [f"  {kind}: {json.dumps(patterns)},\n" for kind, patterns in TABLE.items()]
    head = (
        "/**\n * Patterns of nodes' error messages. Generated from transactions/node_errors.json by\n"
        " * `python -m docs.reference`.\n */\n"
    )
    return f"{head}export const NODE_ERRORS = {{\n{''.join(lines)}}};\n"


def main() -> int:
    made = {FOLDER / f"{name}.md": page() for name, page in PAGES.items()} | {NODE_ERRORS: node_errors()}
    old = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        if old:
            print(f"These files are outdated: {', '.join(path.name for path in old)}. Run `python -m docs.reference`.")
        return int(bool(old))
    for path in old:
        path.write_text(made[path], "utf-8")
    return 0


sys.exit(main())
