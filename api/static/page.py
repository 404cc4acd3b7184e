"""The folder of the page's files (beside this module in the wheel, at the top of a checkout), and its bundle."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from api.static.bundle import BundleError, bundle_module

HERE = Path(__file__).parent
ENTRIES = ("main.js", "embed.js")
STYLE_SHEET = re.compile(r'<link rel="stylesheet" href="([\w./-]+)"')
log = logging.getLogger("chainboard")


def folder() -> Path:
    """The folder with index.html."""
    packed = HERE / "frontend-static"
    return packed if packed.is_dir() else HERE.parents[1] / "frontend-static"


def style_sheets(slug: str) -> list[Path]:
    """The page's style sheets in their order, as index.html names them, and the game's own, if it has one."""
    top = folder()
    named = STYLE_SHEET.findall((top / "index.html").read_text("utf-8"))
    sheets = [top / name for name in (*named, f"games/{slug}.css")]
    return [sheet for sheet in sheets if sheet.is_file()]


class PageScript:
    """The page's modules as one bundle, those of framed pages as another; made again when a module has changed.
    Thread-safe."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._lock = threading.Lock()
        self._last_bundle: tuple[object, Mapping[str, bytes]] = ((), {})

    def __call__(self) -> Mapping[str, bytes]:
        """The bundles and their source maps, by name; nothing where the modules can't be bundled: then a browser loads
        each of them, and says itself what is wrong with a broken one."""
        state = sorted(self._state())
        with self._lock:
            if self._last_bundle[0] != state:
                self._last_bundle = (state, self._bundle())
            return self._last_bundle[1]

    def _state(self) -> Iterator[tuple[str, int, int]]:
        for file in [*self._top.rglob("*.js"), *self._top.rglob("*.json")]:
            stat = file.stat()
            yield str(file), stat.st_mtime_ns, stat.st_size

    def _bundle(self) -> Mapping[str, bytes]:
        try:
            entries = [name for name in ENTRIES if (self._top / name).is_file()]
            return {file: text for name in entries for file, text in bundle_module(self._top, name).items()}
        except BundleError as error:
            log.info("the page's modules are served one by one: %s", error)
            return {}
