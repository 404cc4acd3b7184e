"""The page's sources, and the pages that `build.mjs` builds from them. In a wheel, both are next to
this module."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from api.static.build import SCRIPT, build

HERE = Path(__file__).parent
WHEEL_PAGE = HERE / "built"
"""The folder of the built page in a wheel. A checkout doesn't have this folder."""
SERVER = "server"
"""The folder inside a built page that contains the files for the server itself."""
STYLE_SHEET = re.compile(r'<link rel="stylesheet" href="([\w./-]+)"')
MAX_BUILDS = 5
"""The number of builds that are kept in a checkout. A page that was loaded before a change to the
sources can still request files from an older build."""
BROTLI_FAST = "5"
"""The brotli quality for builds in a checkout. The files are 10 % larger than at the best quality,
but they are compressed 40 times as fast."""


def source_folder() -> Path:
    """Return the folder of the page's sources."""
    packed = HERE / "frontend-static"
    return packed if packed.is_dir() else HERE.parents[1] / "frontend-static"


def style_sheets(slug: str) -> list[Path]:
    """Return the page's style sheets in the order of index.html, followed by the game's style sheet
    if it has one."""
    top = source_folder()
    named = STYLE_SHEET.findall((top / "index.html").read_text("utf-8"))
    sheets = [top / name for name in (*named, f"games/{slug}/style.css")]
    return [sheet for sheet in sheets if sheet.is_file()]


def page_to_serve() -> ServedPage:
    """Return the page to serve. In a wheel, it is the built page. In a checkout, it is a page that
    is built when it is needed."""
    return (
        ServedPage(WHEEL_PAGE)
        if WHEEL_PAGE.is_dir()
        else BuiltPage(source_folder(), HERE.parents[1] / "build" / "page")
    )


class ServedPage:
    """A page that has already been built. Its folder is served unchanged."""

    def __init__(self, source: Path) -> None:
        self.source = source

    def folder(self) -> Path:
        """Return the folder of the current files. Raises BuildError if the page can't be built."""
        return self.source

    def folders(self) -> list[Path]:
        """Return the folders with all files that loaded pages can request, newest first. Raises
        BuildError if the page can't be built."""
        return [self.source]


class BuiltPage(ServedPage):
    """A page that is built from a folder of sources. Each version of the sources gets its own
    folder in `builds`, which several processes can share."""

    def __init__(self, source: Path, builds: Path) -> None:
        super().__init__(source)
        self._builds = builds

    def folder(self) -> Path:
        target = self._builds / self._fingerprint()
        if not target.is_dir():
            self._builds.mkdir(parents=True, exist_ok=True)
            with FileLock(self._builds / ".lock"):
                if not target.is_dir():
                    self._build(target)
        return target

    def folders(self) -> list[Path]:
        if not self._builds.is_dir():
            return [self.folder()]
        found = [path for path in self._builds.iterdir() if path.is_dir() and not path.name.startswith(".")]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True) or [self.folder()]

    def _fingerprint(self) -> str:
        return hashlib.sha256(repr(sorted(self._stats())).encode()).hexdigest()[:16]

    def _stats(self) -> Iterator[tuple[str, int, int]]:
        for file in (SCRIPT, *self.source.rglob("*")):
            # while an editor replaces a file, the file is missing for a moment
            with contextlib.suppress(FileNotFoundError):
                stat = file.stat()
                yield str(file), stat.st_mtime_ns, stat.st_size

    def _build(self, target: Path) -> None:
        with tempfile.TemporaryDirectory(prefix=".", dir=self._builds) as scratch:
            output = Path(scratch) / "page"
            build(self.source, output, BROTLI_FAST)
            output.rename(target)
        for old in self.folders()[MAX_BUILDS:]:
            shutil.rmtree(old, ignore_errors=True)
