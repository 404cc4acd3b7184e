"""A replay as one HTML file that plays offline: the page's own modules, packed by esbuild, and the match in them."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from html import escape
from pathlib import Path
from urllib.parse import quote

from api.static import page
from api.static.bundle import BundleError, bundle_inline
from api.static.texts import LANGUAGES
from indexer.model import Json
from replay.errors import ReplayError

NAME = re.compile(r"[a-z0-9-]{1,40}")
ENTRY = """
import * as renderer from "./games/{slug}.js";
import Layout from "./layouts/{layout}.js";
import {{ begin }} from "./views/standalone.js";
begin(renderer, Layout);
"""
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
<noscript>This replay needs JavaScript. It loads nothing: all that it needs is in this file.</noscript>
<script type="application/json" id="replay">{replay}</script>
<script>{script}</script>
<!--
{notice}
-->
</body>
</html>
"""


def html_of(replay: Json, language: str = LANGUAGES[0]) -> str:
    """The file's text, for a replay of the format in docs/reference/replay.md. Nothing in it is loaded from elsewhere:
    its policy lets only its own script and style run, named by their hashes. Raises ReplayError for a game that this
    page can't draw, and when esbuild is not there."""
    slug, layout = str(replay["game"]["slug"]), str(replay["game"]["layout"])
    top = page.folder()
    script, style = _script(top, slug, layout), _style(slug)
    return DOCUMENT.format(
        language=language,
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        title=escape(f"{replay['game']['title']} {str(replay['match']).partition('/')[2]} · Chainboard"),
        icon=quote((top / "icon.svg").read_text("utf-8")),
        style=style,
        replay=_as_data(replay),
        script=script,
        notice=_notice(top),
    )


def _script(top: Path, slug: str, layout: str) -> str:
    """The page's modules for one game. What they are found by comes from a file that anybody may have written."""
    known = [path.stem for path in sorted((top / "games").glob("*.js"))]
    if slug not in known or not NAME.fullmatch(layout) or not (top / "layouts" / f"{layout}.js").is_file():
        raise ReplayError(f"the page can't draw {slug[:40]!r} as {layout[:40]!r}; it knows {', '.join(known)}")
    try:
        return bundle_inline(
            top, ENTRY.format(slug=slug, layout=layout)
        )  # esbuild lets no string in it end a script element
    except BundleError as error:
        raise ReplayError(str(error)) from error


def _style(slug: str) -> str:
    sheets = page.style_sheets(slug)
    return "\n".join(sheet.read_text("utf-8").strip() for sheet in sheets).replace("</", r"<\/")


def _as_data(replay: Json) -> str:
    """JSON for a script element, which no player's text can end: `<`, in JSON only within strings, is escaped."""
    return json.dumps(replay, ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c")


def _hash(text: str) -> str:
    """A source expression of a Content-Security-Policy. https://www.w3.org/TR/CSP3/#grammardef-hash-source"""
    return f"sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode()}"


def _notice(top: Path) -> str:
    """The licences of what is packed in and is not ours."""
    parts = ["Made by Chainboard, under the MIT licence."]
    for package in ("ethers-abi", "intl-messageformat"):
        licence = (top / "vendor" / f"{package}.LICENSE.md").read_text("utf-8").strip()
        parts.append(f"It holds parts of {package.removesuffix('-abi')}, under this licence:\n\n{licence}")
    return "\n\n".join(parts).replace("--", "- -")
