"""Builds the page when a wheel or an sdist is built. Users then need no Node to install
Chainboard."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BROTLI_BEST = "11"


class PageHook(BuildHookInterface[Any]):
    """A build hook of Hatch (https://hatch.pypa.io/latest/plugins/build-hook/custom/)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        top = Path(self.root)
        # in an sdist, the page is already built
        if version == "editable" or (top / "api" / "static" / "built").is_dir():
            return
        if not (top / "node_modules" / "esbuild").exists():
            subprocess.run(["npm", "install", "--no-save", "--omit=dev", "--loglevel=error"], cwd=top, check=True)
        sys.path.insert(0, self.root)
        from api.static.build import build

        self.scratch = tempfile.TemporaryDirectory(prefix="chainboard-page-")
        built = Path(self.scratch.name) / "built"
        build(top / "frontend-static", built, BROTLI_BEST)
        build_data["force_include"][str(built)] = "api/static/built"

    def finalize(self, *_: Any) -> None:
        if hasattr(self, "scratch"):
            self.scratch.cleanup()
