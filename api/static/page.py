"""The folder of the page's files (beside this module in the wheel, at the top of a checkout), and its bundle."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from api.static.bundle import BundleError, bundle_module

HERE = Path(__file__).parent
ENTRY = "main.js"
log = logging.getLogger("chainboard")


def folder() -> Path:
    """The folder with index.html."""
    packed = HERE / "frontend-static"
    return packed if packed.is_dir() else HERE.parents[1] / "frontend-static"


class PageScript:
    """The page's modules as one bundle, made again when one of them has changed. Thread-safe."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._lock = threading.Lock()
        self._last_bundle: tuple[object, Mapping[str, bytes]] = ((), {})

    def __call__(self) -> Mapping[str, bytes]:
        """The bundle and its source map, by name; nothing where the modules can't be bundled: then a browser loads each
        of them, and says itself what is wrong with a broken one."""
        state = sorted(self._state())
        with self._lock:
            if self._last_bundle[0] != state:
                self._last_bundle = (state, self._bundle())
            return self._last_bundle[1]

    def _state(self) -> Iterator[tuple[str, int, int]]:
        for file in self._top.rglob("*.js"):
            stat = file.stat()
            yield str(file), stat.st_mtime_ns, stat.st_size

    def _bundle(self) -> Mapping[str, bytes]:
        try:
            return bundle_module(self._top, ENTRY)
        except BundleError as error:
            log.info("the page's modules are served one by one: %s", error)
            return {}
