"""Exports a replay to one HTML file that plays it offline. The file contains the match, and a
script that consists of the page's own modules."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from html import escape
from pathlib import Path
from urllib.parse import quote

from api.static import page
from api.static.texts import LANGUAGES
from indexer.model import Json
from replay.errors import ReplayError
from replay.render.server_files import server_files

DOCUMENT = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Chainboard">
<title>{title}</title>
<link rel="icon" href="data:image/svg+xml,{icon}">
<style>{style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This replay needs JavaScript. The file is complete and loads nothing else.</noscript>
<script type="application/json" id="replay">{replay}</script>
<script>{script}</script>
<!--
{notice}
-->
</body>
</html>
"""


def html_of(replay: Json, language: str = LANGUAGES[0]) -> str:
    """Return the text of an HTML file that plays a replay. The replay has the format that
    docs/reference/replay.md describes.

    The file loads nothing. Its Content-Security-Policy allows only its own script and style, by
    their hashes. Raises ReplayError if the page can't draw the game or can't be built."""
    slug, top = str(replay["game"]["slug"]), page.source_folder()
    built = server_files()
    script, style = _script(built, slug), _style(slug)
    return DOCUMENT.format(
        language=language,
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        title=escape(f"{replay['game']['title']} {str(replay['match']).partition('/')[2]} · Chainboard"),
        icon=quote((top / "icon.svg").read_text("utf-8")),
        style=style,
        replay=_as_data(replay),
        script=script,
        notice=_notice(built),
    )


def _script(built: Path, slug: str) -> str:
    """Return a script with the page's modules that play one game. The script contains no text that
    would end a script element."""
    known = {path.stem.removeprefix("replay-"): path for path in sorted(built.glob("replay-*.js"))}
    if slug not in known:  # the slug comes from an untrusted file
        raise ReplayError(
            f"can't export {slug[:40]!r}: the page has no board for this game, only for {', '.join(known)}"
        )
    return known[slug].read_text("utf-8").strip()


def _style(slug: str) -> str:
    sheets = page.style_sheets(slug)
    return "\n".join(sheet.read_text("utf-8").strip() for sheet in sheets).replace("</", r"<\/")


def _as_data(replay: Json) -> str:
    """Return the replay as JSON for a script element. Escape `<`, so that a player's text can't end
    the element. In JSON, `<` occurs only in strings."""
    return json.dumps(replay, ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c")


def _hash(text: str) -> str:
    """Return the hash of a script or style as a Content-Security-Policy writes it.
    https://www.w3.org/TR/CSP3/#grammardef-hash-source"""
    return f"sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode()}"


def _notice(built: Path) -> str:
    """Return a notice with the licences of all third-party code in the file."""
    licences = (built / "licences.txt").read_text("utf-8").strip()
    made = "Made by Chainboard, under the MIT licence. It contains parts of these packages, under their licences."
    return f"{made}\n\n{licences}".replace("--", "- -")
