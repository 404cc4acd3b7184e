"""Runs the page's own renderers in Node. Other modules in `replay` use this module to run Node."""

from __future__ import annotations

import shutil
import subprocess
import threading
from typing import Any, Self

import orjson

from api.static.texts import LANGUAGES
from indexer.games import GAMES
from indexer.model import Json
from indexer.sanitize import printable
from replay.errors import ReplayError
from replay.render.server_files import server_files

MAX_LETTERS = 300
MAX_SECONDS = 30.0
"""The number of seconds after which a drawing is abandoned. A drawing normally takes a few
milliseconds, but one from a hostile file can take much longer."""
MAX_MEBIBYTES = 1024


class NodeRenderer:
    """A Node process that draws boards of one game. Use it in a `with` statement. Raises
    ReplayError if Node isn't installed or the renderer fails."""

    def __init__(self, slug: str, language: str = LANGUAGES[0]) -> None:
        node = shutil.which("node")
        if node is None:
            raise ReplayError(
                "Node.js is not installed, but it is needed to draw the boards: install Node.js 20 or newer"
            )
        script = server_files() / "node-render.mjs"
        command = [node, f"--max-old-space-size={MAX_MEBIBYTES}", str(script), slug, GAMES[slug].layout, language]
        self._timed_out = False
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def still(self, still_input: Json) -> Json:
        """Return the picture and the texts for an event, as the type `Still` in history/snapshot.js
        describes them."""
        found: Json = self._ask(still_input)["still"]
        return found

    def svg(self, still_input: Json) -> str:
        """Return an SVG drawing of the board at an event. Its elements have classes instead of
        colours, because the page's style sheets define the colours."""
        return str(self._ask({**still_input, "drawn": True})["svg"])

    def _ask(self, still_input: Json) -> Any:
        try:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(orjson.dumps(still_input) + b"\n")
            self._process.stdin.flush()
            line = self._line()
        except BrokenPipeError:
            line = b""
        if self._timed_out:
            raise ReplayError(f"can't draw the position because it takes more than {MAX_SECONDS:g} seconds")
        if not line:
            raise ReplayError(f"Node.js can't run the page's modules: {self._why()}")
        answer = orjson.loads(line)
        if "error" in answer:
            why = printable(answer["error"])[:MAX_LETTERS]
            raise ReplayError(f"can't draw the position because the replay has data that its game can't produce: {why}")
        return answer

    def _line(self) -> bytes:
        """Return the line with which Node responds. If this takes too long, kill Node."""
        assert self._process.stdout is not None
        clock = threading.Timer(MAX_SECONDS, self._time_out)
        clock.start()
        try:
            return self._process.stdout.readline()
        finally:
            clock.cancel()

    def _time_out(self) -> None:
        self._timed_out = True
        self._process.kill()

    def _why(self) -> str:
        self._process.wait()
        assert self._process.stderr is not None
        lines = [line for line in self._process.stderr.read().decode(errors="replace").splitlines() if "Error" in line]
        return printable(lines[0] if lines else "it ended without an error message")[:MAX_LETTERS]
