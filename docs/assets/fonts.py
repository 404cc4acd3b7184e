"""Regenerates the fonts in `replay/export/fonts/`, which contain only the characters that exported
pictures need.

`make fonts` runs this module with fonttools. It uses the fonts in two Debian packages: DejaVu Sans
(fonts-dejavu-core) for Latin, Greek and Cyrillic letters and signs, and Droid Sans Fallback
(fonts-droid-fallback) for Chinese characters."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TOP = Path(__file__).parents[2]
PAGE = TOP / "frontend-static"
FONTS = TOP / "replay" / "export" / "fonts"
PACKAGES = ("fonts-dejavu-core", "fonts-droid-fallback")
LATIN = {"DejaVuSans.ttf": "dejavu/DejaVuSans.ttf", "DejaVuSans-Bold.ttf": "dejavu/DejaVuSans-Bold.ttf"}
CHINESE = {"DroidSansFallback.ttf": "droid/DroidSansFallbackFull.ttf"}
SYMBOLS = "●■◆⬢▲⬟○□◇⬡△⬠✓✗★⚑⌘▶❚…·×→←↑↓≈≤≥"
"""The signs that occur in the code of the page's modules but not in the page's text tables."""
FIRST_CHINESE_CODE_POINT = 0x2E80
"""The code point from which characters count as Chinese. The Latin fonts contain the characters
below it."""
COMMON_CHINESE = "".join(
    bytes((row, column)).decode("gb2312")
    for row in range(0xB0, 0xD8)
    for column in range(0xA1, 0xFF)
    if (row, column) <= (0xD7, 0xF9)
)
"""The 3,755 most common characters in GB 2312. Because the font contains these characters, new
texts rarely require a new font."""


def characters() -> set[str]:
    """Return all characters in the page's text tables and word lists, in all languages."""
    files = [*PAGE.rglob("messages/*.json"), PAGE / "names/words.json"]
    return {one for file in files for one in json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)}


def main() -> None:
    wanted = characters()
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            subprocess.run(["apt-get", "-qq", "download", package], cwd=folder, check=True)
        for archive in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
        fonts = Path(folder) / "usr" / "share" / "fonts" / "truetype"
        for name, file in LATIN.items():
            known = TTFont(FONTS / name).getBestCmap() if (FONTS / name).is_file() else {}
            _subset(
                fonts / file,
                FONTS / name,
                {*map(chr, known), *SYMBOLS, *(one for one in wanted if ord(one) < FIRST_CHINESE_CODE_POINT)},
            )
        for name, file in CHINESE.items():
            _subset(
                fonts / file,
                FONTS / name,
                {*COMMON_CHINESE, *(one for one in wanted if ord(one) >= FIRST_CHINESE_CODE_POINT)},
            )


def _subset(source: Path, target: Path, wanted: Iterable[str]) -> None:
    options = subset.Options(
        hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 1, 2, 4, 5, 6, 13, 14]
    )
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(wanted))
    cutter.subset(font)
    font["head"].modified = font["head"].created  # otherwise, each run would change the timestamp in the file
    font.recalcTimestamp = False
    subset.save_font(font, str(target), options)
    print(f"{target.name}: {len(font.getBestCmap()):,} characters, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
