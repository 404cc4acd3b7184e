"""Tests that the terminal and all exports reject malicious replay files within a limited time. The
error message gives the reason in a sentence."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rich.console import Console

from api.static import page
from indexer.gamekit.game import apply_patch, board_hash
from indexer.model import Json
from replay import bounds
from replay.errors import ReplayError
from replay.file import check_replay
from replay.render import node_renderer
from replay.render.node_renderer import NodeRenderer
from replay.terminal.playback import Playback
from replay.terminal.screen import Screen
from replay.timeline import Frame, Timeline
from tests.support.command_line import chainboard
from tests.support.transcripts import ONE_MATCH_PER_GAME, replay_of

SUFFIXES = ("svg", "png", "gif", "html")
SIDES = [5000, 10**6, 65, 0, -5, 1.5, "7", True, [], 2**53]
EXAMPLES = 60


def real(name: str) -> Json:
    """Return a copy of a recorded replay, so that the test can change it."""
    return copy.deepcopy(replay_of(name))


def refolded(replay: Json) -> Json:
    """Replace the board with the result of the patches, and the hash with the board's hash. A
    replay with wrong values is then consistent, so only a check of the values finds the fault."""
    board = replay["start"]
    for event in replay["events"]:
        board = apply_patch(board, event["patch"])
    return {**replay, "board": board, "boardHash": board_hash(board)}


def sized(side: str, value: Any, at: int) -> Json:
    replay = real("touche-coule/fought-out")
    replay["events"][at]["patch"][side] = value
    return refolded(replay)


@pytest.mark.parametrize("value", SIDES)
def test_a_board_of_another_size_than_1_to_64_is_told(value: Any) -> None:
    for side, at in (("width", 1), ("height", -1)):
        with pytest.raises(ReplayError, match=f"patch.{side} is .*, but it must be 1 to 64 cells|not a whole number"):
            check_replay(sized(side, value, at), "it")
        begun = {**real("tic-tac-toe/draw"), "start": {side: value}}
        with pytest.raises(ReplayError, match=f"start.{side} is .*"):
            check_replay(begun, "it")
    assert check_replay(sized("width", 64, 1), "it")


@pytest.mark.parametrize("ending", ["terminal", *SUFFIXES])
def test_each_way_to_see_a_file_says_so_in_a_sentence(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(sized("width", 5000, 1)))
    more = [] if ending == "terminal" else ["--export", tmp_path / f"m.{ending}"]
    said = chainboard("replay", file, *more, "--data", tmp_path)
    assert (said.code, said.out) == (1, "")
    assert "patch.width is 5000, but it must be 1 to 64 cells" in " ".join(said.err.split())
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


LARGE: dict[str, tuple[Callable[[Json], Any], str]] = {
    "events": (lambda it: it.update(events=it["events"] * 100), "events; a replay file may have at most 500"),
    "members": (
        lambda it: it["start"].update(cells={str(n): 1 for n in range(10_001)}),
        "start.cells has 10,001 members",
    ),
    "letters": (lambda it: it["events"][2]["args"].update(text="x" * 20_001), "args.text has 20,001 letters"),
    "title": (lambda it: it["game"].update(title="x" * 61), "game.title is .*, but it must be the title of a game"),
    "depth": (lambda it: it["start"].update(cells=nested(60)), "nested more than 50 levels deep"),
    "number": (lambda it: it["start"].update(ply=2**53), "start.ply is 9007199254740992"),
}


def nested(depth: int) -> Json:
    return {"in": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize("what", LARGE)
def test_more_than_a_match_can_be_is_told(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_EVENTS", 500)
    change, why = LARGE[what]
    replay = real("tic-tac-toe/draw")
    change(replay)
    with pytest.raises(ReplayError, match=why):
        check_replay(replay, "it")


def test_what_takes_too_long_to_fold_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = real("tic-tac-toe/draw")
    monkeypatch.setattr(bounds, "MAX_COPIES", 50)
    with pytest.raises(ReplayError, match="its events change more than 50 values"):
        Timeline(replay)


def test_what_takes_too_long_to_draw_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "server" / "node-render.mjs"
    script.parent.mkdir()
    script.write_text("for (;;);")
    monkeypatch.setattr(page, "page_to_serve", lambda: page.ServedPage(tmp_path))
    monkeypatch.setattr(node_renderer, "MAX_SECONDS", 0.2)
    with NodeRenderer("tic-tac-toe") as drawer, pytest.raises(ReplayError, match=r"takes more than 0\.2 seconds"):
        drawer.svg({"match": "tic-tac-toe/1"})


# ---- random changes

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 1, 7, 64, 65, 4096, 2**31, 2**32, 2**53 - 1, -(2**53) + 1, 0.5, 1e300]),
    st.sampled_from(["", "0x", "-1", "1e9", "9" * 400, "\u202e\x1b[2J", "<svg onload=1>", "constructor", "__proto__"]),
    st.sampled_from([[], {}, [[]], [None], {"a": {}}, {"0": -1}, {"__proto__": {}}, {"99999": "1"}, [10**9] * 9]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places in a replay where a test can replace a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def put(replay: Json, path: tuple[Any, ...], value: Any) -> None:
    whole: Any = replay
    for key in path[:-1]:
        if not isinstance(whole, (dict, list)):
            return
        whole = whole[key]
    if isinstance(whole, (dict, list)):
        whole[path[-1]] = value


@pytest.mark.parametrize("name", ONE_MATCH_PER_GAME)
def test_a_real_file_that_was_spoilt_is_shown_or_told(name: str) -> None:
    whole = real(name)
    spots = [path for path in places(whole) if path[0] in ("start", "events", "game")]
    counts = {"shown": 0, "told": 0}
    with NodeRenderer(whole["game"]["slug"]) as drawer:

        @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
        @given(st.lists(st.tuples(st.sampled_from(spots), VALUES), min_size=1, max_size=3), st.integers(1, 10**6))
        def spoil(changes: list[tuple[tuple[Any, ...], Any]], at: int) -> None:
            replay = copy.deepcopy(whole)
            for path, value in changes:
                with suppress(KeyError, IndexError, TypeError):  # an earlier change removed this place
                    put(replay, path, value)
            counts["shown" if seen(replay, drawer, at) else "told"] += 1

        spoil()
    assert min(counts.values()) > EXAMPLES // 20, counts


def seen(replay: Json, drawer: NodeRenderer, at: int) -> bool:
    """Show the replay in the terminal and in pictures. Return False if the program rejects the
    replay with a reason."""
    # if the patches can't be applied, show the replay as it is
    with suppress(AttributeError, KeyError, TypeError):
        replay = refolded(replay)
    try:
        timeline = Timeline(check_replay(orjson.loads(orjson.dumps(replay)), "it"))
        seq = 1 + at % timeline.last
        drawer.svg(timeline.still_input(Frame(seq, seq)))
        screen = Console(width=80, height=24, force_terminal=True, color_system="truecolor", file=io.StringIO())
        screen.print(Screen(timeline, "dark", True, screen).render(drawer, Playback(timeline.last, seq - 1)))
    except ReplayError:
        return False
    return True
