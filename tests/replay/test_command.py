"""Tests that `chainboard replay` plays, prints and exports replays, both from the index and from a
file."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
import resvg_py
from PIL import Image
from rich.cells import cell_len
from rich.console import Console

from indexer.gamekit.game import apply_patch, board_hash
from replay.export import formats, raster
from replay.export.raster import sample
from replay.render.node_renderer import NodeRenderer
from replay.terminal.badges import badge
from replay.terminal.board_text import _fitted, draw_boards
from replay.terminal.keys import key_names
from replay.terminal.palette import Colours
from replay.terminal.playback import FASTEST, SLOWEST, Playback
from replay.terminal.screen import Screen
from replay.timeline import Timeline
from tests.replay.recorded_replays import MATCHES, TRANSCRIPTS, RecordedMatches, of_transcript, recorded
from tests.support.command_line import CommandResult, chainboard
from tests.support.transcripts import ONE_MATCH_PER_GAME

WIDTH, HEIGHT = 80, 24


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedMatches]:
    with recorded(tmp_path_factory.mktemp("replay")) as found:
        yield found


def replay(it: RecordedMatches, *arguments: object) -> CommandResult:
    return chainboard("replay", *arguments, "--data", it.data)


def refused(said: CommandResult, code: int, words: str) -> bool:
    assert (said.code, said.out) == (code, "")
    return words in re.sub(r"[\s│]+", " ", said.err)


# ---- replays printed as plain text


@pytest.mark.parametrize("match", MATCHES)
def test_a_match_is_told_from_the_index_and_from_a_file_alike(it: RecordedMatches, match: str, tmp_path: Path) -> None:
    said, events = replay(it, match), it.replay(match)["events"]
    assert (said.code, said.err) == (0, "")
    assert replay(it, it.file(match, tmp_path)).out == said.out
    told = {int(number) for number in re.findall(r"^ +(\d+)  block \d+ ", said.out, re.MULTILINE)}
    assert {1, events[-1]["seq"]} <= told <= {event["seq"] for event in events}
    assert max(map(cell_len, said.out.splitlines())) <= WIDTH
    assert f"step {len(events)} of {len(events)} · block {events[-1]['block']}" in said.out


def test_the_board_at_an_event_is_what_it_was_then(it: RecordedMatches) -> None:
    said = replay(it, "tic-tac-toe/1", "--at", 6)
    rows = re.findall(r"^[123] +([X·O]) +([X·O]) +([X·O]) *$", said.out, re.MULTILINE)
    assert rows == [("X", "·", "·"), ("·", "O", "·"), ("·", "·", "·")]
    assert "Lucid Dunlin put O on B2" in said.out
    # nothing about later events is printed
    assert re.findall(r"^ *(\d+)  block", said.out, re.MULTILINE)[-1] == "6"


def test_an_event_inside_of_a_transaction_is_a_moment_too(it: RecordedMatches) -> None:
    said = replay(it, "tic-tac-toe/1", "--at", 9)
    assert "Able Dotterel put X on C1" in said.out
    assert "Three in a row" not in said.out


def test_what_never_was_is_told(it: RecordedMatches, tmp_path: Path) -> None:
    for at in (0, -3, 12, 10**30):
        assert refused(
            replay(it, "tic-tac-toe/1", "--at", at), 1, f"tic-tac-toe/1 has no event {at}: its events are 1 to 11"
        )
    assert refused(replay(it, "tic-tac-toe/99"), 1, "There is no match tic-tac-toe/99.")
    assert refused(replay(it, "chess/1"), 2, "There is no game 'chess'")
    assert refused(replay(it, "tic-tac-toe/1", "--speed", 0), 2, "0.1")
    assert refused(replay(it, tmp_path / "none.json"), 1, "none.json: No such file or directory")
    assert refused(chainboard("replay", "tic-tac-toe/1", "--data", tmp_path), 1, "there is no database at")


def test_an_altered_file_is_not_played(it: RecordedMatches, tmp_path: Path) -> None:
    altered = it.replay("tic-tac-toe/1")
    altered["events"][4]["patch"]["cells"] = {"8": 1}
    file = tmp_path / "altered.json"
    file.write_text(json.dumps(altered))
    assert refused(
        replay(it, file), 1, "its patches don't lead to its last board. `chainboard verify FILE` shows which"
    )


def test_no_text_of_a_file_is_obeyed_by_a_terminal_or_a_picture(it: RecordedMatches, tmp_path: Path) -> None:
    bad = it.replay("tic-tac-toe/1")
    bad["events"][4]["name"] = "\x1b[2J\x07<script>alert(1)</script>"
    bad["game"]["title"] = "\x1b]0;owned\x07</text><script/>"
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(bad))
    said = replay(it, file)
    assert said.code == 0
    assert "<script>alert(1)</script>" in said.out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", said.out)
    assert replay(it, file, "--at", 5, "--export", tmp_path / "bad.svg").code == 0
    drawing = ElementTree.parse(tmp_path / "bad.svg")
    assert not [one for one in drawing.iter() if one.tag.endswith("script")]


def test_what_no_game_makes_is_told(it: RecordedMatches, tmp_path: Path) -> None:
    """Tests a replay whose patches match its hash, but whose board is impossible in the game. The
    command says that it can't draw the board."""
    bad = it.replay("touche-coule/1")
    bad["events"][-1]["patch"] = {"players": None, "ships": {"1": {"x": "left"}}}
    bad["board"] = bad["start"]
    for event in bad["events"]:
        bad["board"] = apply_patch(bad["board"], event["patch"])
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**bad, "boardHash": board_hash(bad["board"])}))
    assert refused(replay(it, file), 1, "can't draw the position because the replay has data that")


# ---- replays exported to a file


def exported(it: RecordedMatches, match: str, file: Path, *arguments: object) -> Path:
    said = replay(it, match, "--export", file, *arguments)
    assert (said.code, said.out) == (0, f"Wrote {file}\n"), said
    assert os.listdir(file.parent) == [file.name]  # noqa: PTH208 - no temporary file is left
    return file


def test_json_is_the_file_of_the_server(it: RecordedMatches, tmp_path: Path) -> None:
    assert exported(it, "battleship/1", tmp_path / "b.json").read_bytes() == it.text("battleship/1")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("match", [*MATCHES, "touche-coule/2"])
def test_a_drawing_needs_nothing_from_elsewhere(it: RecordedMatches, match: str, theme: str, tmp_path: Path) -> None:
    text = exported(it, match, tmp_path / "m.svg", "--theme", theme).read_text("utf-8")
    assert not re.search(r"var\(|light-dark|calc\(|class=|style|href|url\(|http(?!://www\.w3\.org/2000/svg\")", text)
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert ('fill="#f6f3ec"' in text, 'fill="#0f1720"' in text) == (theme == "light", theme == "dark")


def test_a_picture_shows_the_wanted_moment(it: RecordedMatches, tmp_path: Path) -> None:
    first = exported(it, "tic-tac-toe/1", tmp_path / "m.svg", "--at", 5).read_text("utf-8")
    last = exported(it, "tic-tac-toe/1", tmp_path / "m.svg", "--force").read_text("utf-8")
    assert first.count("<path") < last.count("<path")
    assert re.search(r"step 5 of 11 · block \d+", first)


def test_a_png_is_a_picture(it: RecordedMatches, tmp_path: Path) -> None:
    with Image.open(exported(it, "touche-coule/1", tmp_path / "m.png")) as picture:
        assert picture.format == "PNG"
        assert min(picture.size) > 1000
        assert len(picture.convert("RGB").getcolors(2**24) or []) > 10


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_an_animation_has_a_frame_for_each_step(it: RecordedMatches, kind: str, tmp_path: Path) -> None:
    blocks = len({event["tx"] for event in it.replay("tic-tac-toe/1")["events"]})
    with Image.open(exported(it, "tic-tac-toe/1", tmp_path / f"m.{kind}", "--speed", 4)) as moving:
        assert (moving.format, getattr(moving, "n_frames", 1)) == (kind.upper(), blocks)
        moving.seek(1)
        moving.load()
        assert moving.info["duration"] == 250
        assert moving.info["loop"] == 0


def test_a_step_may_be_an_event(it: RecordedMatches, tmp_path: Path) -> None:
    with Image.open(exported(it, "tic-tac-toe/1", tmp_path / "m.gif", "--step", "event", "--at", 6)) as moving:
        assert getattr(moving, "n_frames", 1) == 6


def test_too_many_steps_are_thinned_evenly_and_that_is_said(
    it: RecordedMatches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sample(list(range(1000)), 4) == [0, 333, 666, 999]
    monkeypatch.setattr(formats, "sample", partial(sample, limit=3))
    said = replay(it, "tic-tac-toe/1", "--export", tmp_path / "m.webp")
    assert said.err == "the animation can't hold all 7 steps, so it shows 3 of them, evenly spaced\n"
    with Image.open(tmp_path / "m.webp") as moving:
        assert getattr(moving, "n_frames", 1) == 3


def letters(said: str, weight: int = 400) -> bytes:
    """Draw a text as on a machine without fonts. Return the drawing's pixels."""
    text = f'<text y="40" font-size="32" font-family="system-ui, sans-serif" font-weight="{weight}">{said}</text>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50">{text}</svg>'
    with Image.open(io.BytesIO(raster.png(drawing))) as found:
        return found.convert("RGBA").tobytes()


def test_a_machine_without_fonts_writes_accents(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = partial(resvg_py.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg_py, "svg_to_bytes", alone)
    tofu = letters("\U000f0000")  # a private-use character, for which no font has a glyph
    for weight in (400, 700):
        drawn = [letters(one, weight) for one in ("", "e", "é", "è", "ç", "Ł", "ж", "Coulé", "Coule", "…", "·")]
        assert len(set(drawn)) == len(drawn)
        assert tofu not in drawn[1:]
    assert letters("Touché Coulé", 700) != letters("Touché Coulé", 400)


def test_a_file_that_is_there_stays_unless_it_is_forced(it: RecordedMatches, tmp_path: Path) -> None:
    file = tmp_path / "mine.svg"
    file.write_text("mine")
    assert refused(replay(it, "tic-tac-toe/1", "--export", file), 1, "already exists: use --force to overwrite it")
    assert file.read_text() == "mine"
    exported(it, "tic-tac-toe/1", file, "--force")
    assert refused(replay(it, "tic-tac-toe/99", "--export", file, "--force"), 1, "There is no match")
    assert "<svg" in file.read_text()


def test_what_it_can_not_be_written_as_or_to_is_told(it: RecordedMatches, tmp_path: Path) -> None:
    for name in ("m.mp4", "m"):
        said = replay(it, "tic-tac-toe/1", "--export", tmp_path / name)
        assert refused(said, 2, "has no supported suffix: use .json, .html, .svg, .png, .gif, .webp")
    said = replay(it, "tic-tac-toe/1", "--export", tmp_path / "no" / "m.svg")
    assert refused(said, 1, "m.svg: No such file or directory")


def test_without_node_it_is_told_what_is_missing(it: RecordedMatches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(it.data))
    said = replay(it, "tic-tac-toe/1")
    assert refused(
        said, 1, "Node.js is not installed, but it is needed to draw the boards: install Node.js 20 or newer"
    )


# ---- replays played in the terminal


FEW = (*ONE_MATCH_PER_GAME, "deblockle/sheet", "conquest/left")
RECORDED = [f"{file.parent.name}/{file.stem}" for file in sorted(TRANSCRIPTS.glob("*/*.json"))]


@pytest.mark.parametrize("name", [one if one in FEW else pytest.param(one, marks=pytest.mark.soak) for one in RECORDED])
def test_every_moment_of_every_recorded_match_fits_a_terminal(name: str) -> None:
    timeline = Timeline(of_transcript(name))
    console = Console(width=WIDTH, height=HEIGHT, force_terminal=True, color_system="truecolor", file=io.StringIO())
    show = Screen(timeline, "dark", by_event=False, console=console)
    with NodeRenderer(timeline.replay["game"]["slug"]) as renderer:
        count = len(timeline.frames())
        for at in {*range(0, count, 7), count - 1}:
            lines = console.render_lines(show.render(renderer, Playback(count, at)), pad=False)
            assert len(lines) < HEIGHT
            assert max(sum(segment.cell_length for segment in line) for line in lines) <= WIDTH
            text = "\n".join("".join(segment.text for segment in line) for line in lines)
            assert f"{at + 1}/{count} · 1/s" in text
            assert text.endswith("space pause · ← → step · Home End first, last · + - speed · q quit")


@pytest.mark.parametrize("name", FEW[:-1])
def test_the_board_after_each_event_is_drawn(name: str) -> None:
    """Tests that the board can be drawn after each event, even between two events of one
    transaction. Between such events, there may be no player to move."""
    timeline = Timeline(of_transcript(name))
    with NodeRenderer(timeline.replay["game"]["slug"]) as renderer:
        for frame in timeline.frames(by_event=True):
            assert renderer.still(timeline.still_input(frame))["turnText"]


def test_a_board_of_cubes_is_told_as_the_games_own_log_tells_it() -> None:
    """Tests that a board of cubes looks the same as the example in the game's rules after the sixth
    move. It shows empty squares, stars, and the top face and the owner of each cube."""
    timeline = Timeline(of_transcript("deblockle/sheet"))
    frame = next(frame for frame in timeline.frames() if frame.first <= 19 <= frame.last)
    with NodeRenderer("deblockle") as renderer:
        still = renderer.still(timeline.still_input(frame))
    rows = [line.plain.split() for line in draw_boards(still["picture"], Colours("deblockle", "dark"), (30, 8))]
    empty = 7 * [".."]
    assert rows == [
        list("abcdefg"),
        ["1", *empty],
        ["2", *empty[:3], "__", *empty[4:]],
        ["3", *empty],
        ["4", *empty[:3], "H1", *empty[4:]],
        ["5", *empty],
        ["6", *empty[:3], "__", "L2", *empty[5:]],
        ["7", *empty],
    ]


def test_what_streams_is_told_with_the_players() -> None:
    timeline = Timeline(of_transcript("deblockle/sheet"))
    with NodeRenderer("deblockle") as renderer:
        notes = [
            [seat["note"] for seat in renderer.still(timeline.still_input(frame))["seats"]]
            for frame in timeline.frames()
        ]
    assert re.fullmatch(r"1 of 1 cube left · Deposit \S+ \S+", notes[0][0])
    assert re.fullmatch(r"0 of 1 cube left · \S+ \S+ withdrawn", notes[-1][0])


def test_a_large_board_is_shown_whole_in_a_small_terminal() -> None:
    """Tests that a terminal with 80 columns and 14 lines shows a whole board of 64 x 64 cells. Each
    character shows the most frequent value among the cells in five rows and two columns."""
    at = {"1": 0, "2": 20 * 64 + 40, "3": 63 * 64 + 63, "4": 40 * 64 + 20, "5": 41 * 64 + 21}
    pieces = [
        {"cell": cell, "label": label, "colour": 0, "shape": 0, "size": None, "sunk": False}
        for label, cell in at.items()
    ]
    marks = [{"cell": 20 * 64 + 41, "kind": "miss"}, {"cell": 64 * 30, "kind": "hit", "shape": "burst"}]
    picture = {"width": 64, "height": 64, "pieces": pieces, "marks": marks, "fields": [], "lines": []}
    lines = [line.plain for line in draw_boards(picture, Colours("touche-coule", "dark"), (WIDTH, 14))]
    assert len(lines) == 14
    assert {cell_len(line) for line in lines} == {3 + 2 * 32}
    assert lines[0].split()[:3] == ["A", "E", "I"]
    assert [line[:2].strip() for line in lines[1:4]] == ["1", "6", "11"]
    shown = {label: line for label in ["●1", "●2", "●3", "+", "*"] for line in lines if label in line}
    assert {label: lines.index(line) for label, line in shown.items()} == {"●1": 1, "●2": 5, "●3": 13, "+": 9, "*": 7}


def test_two_sides_of_one_shape_are_told_apart_without_colours() -> None:
    pieces = [
        {"cell": side, "label": "", "colour": colour, "shape": 0, "size": None, "sunk": False}
        for side, colour in enumerate((6, 7))
    ]
    picture = {"width": 2, "height": 1, "pieces": pieces, "marks": [], "fields": [], "lines": []}
    lines = draw_boards(picture, Colours("tic-tac-toe", "dark"), (WIDTH, 14), colour=False)
    text = "".join(line.plain for line in lines)
    assert "●" in text
    assert "○" in text
    assert [badge(piece) for piece in pieces] == ["●", "○"]
    assert [badge({"colour": seat, "shape": seat}) for seat in range(6)] == list("●■◆⬢▲⬟")


def test_keys_and_time_move_the_player() -> None:
    playback = Playback(3, since=0.0)
    playback.tick(0.9)
    assert playback.at == 0
    playback.tick(1.0)
    playback.tick(2.0)
    assert (playback.at, playback.playing) == (2, False)  # the replay has reached its end
    playback.press("space", 9.0)
    assert (playback.at, playback.playing) == (0, True)  # the replay restarts from the beginning
    for key, at in (("right", 1), ("end", 2), ("right", 2), ("left", 1), ("home", 0), ("left", 0), ("?", 0)):
        playback.press(key, 9.0)
        assert (playback.at, playback.playing) == (at, False)
    for _ in range(30):
        playback.press("+", 9.0)
    assert playback.speed == FASTEST
    for _ in range(30):
        playback.press("-", 9.0)
    assert playback.speed == SLOWEST
    playback.press("q", 9.0)
    assert playback.is_over


def test_keys_are_told_apart_also_when_several_come_at_once() -> None:
    assert key_names(" \x1b[C\x1b[D\x1b[1~\x1bOFq+") == ["space", "right", "left", "home", "end", "q", "+"]
    assert key_names("\x1b") == ["q"]


def test_chinese_is_written_in_the_terminal_and_in_pictures(it: RecordedMatches, tmp_path: Path) -> None:
    printed = replay(it, "tic-tac-toe/1", "--language", "zh")
    lines = printed.out.splitlines()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in printed.out)
    assert max(map(cell_len, lines)) <= 80
    with Image.open(exported(it, "tic-tac-toe/1", tmp_path / "m.gif", "--language", "zh", "--at", 3)) as moving:
        assert moving.format == "GIF"
    tofu, alone = letters("\U000f0000"), {letters(one) for one in ("琥", "珀", "水", "獭", "琥珀水獭")}
    assert len(alone) == 5
    assert tofu not in alone


def test_wide_letters_are_cut_by_columns() -> None:
    assert [_fitted("琥珀水獭", width) for width in (8, 7, 2)] == ["琥珀水獭", "珀水獭 ", "獭"]
    assert [cell_len(_fitted(one, width)) for one in ("琥珀", "a琥", "abc", "琥") for width in (1, 2, 3)] == [
        1,
        2,
        3,
    ] * 4
