"""Tests that a replay in the terminal shows all its words in the chosen language."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from indexer.games import GAMES
from replay.render.node_renderer import NodeRenderer
from replay.terminal.playback import Playback
from replay.terminal.screen import Screen
from replay.timeline import Timeline
from tests.replay.recorded_replays import TRANSCRIPTS, of_transcript
from tests.support.page.pseudo import untranslated


@pytest.mark.parametrize("slug", GAMES)
def test_every_sentence_of_recorded_matches_is_in_the_tables(slug: str) -> None:
    """Tests that the tables contain all sentences about recorded matches. The test uses one event
    with each name, and the end of each match."""
    seen: set[str] = set()
    with NodeRenderer(slug, "pseudo") as renderer:
        for file in sorted((TRANSCRIPTS / slug).glob("*.json")):
            timeline = Timeline(of_transcript(f"{slug}/{file.stem}"))
            for frame in timeline.frames(by_event=True):
                name = timeline.events[frame.last - 1]["name"]
                if name in seen and frame.last < timeline.last:
                    continue
                seen.add(name)
                still = renderer.still(timeline.still_input(frame))
                notes = [seat.get("note") or "" for seat in still["seats"]]
                titles = [part.get("title") or "" for part in still["picture"].get("parts") or ()]
                sentences = [one["text"] for one in still["sentences"]]
                assert (
                    untranslated([still["title"], still["position"], still["turnText"], *notes, *titles, *sentences])
                    == []
                )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ["espace pause · ← → étape · Début Fin première, dernière · + - vitesse · q quitter", " · a gagné"]),
        ("zh", ["空格 暂停 · ← → 单步 · Home End 首步、末步 · + - 速度 · q 退出", " · 获胜"]),
    ],
)
def test_the_player_s_own_words_are_in_the_language(language: str, words: list[str]) -> None:
    timeline = Timeline(of_transcript("tic-tac-toe/host-wins"))
    printed = io.StringIO()
    console = Console(width=100, height=30, force_terminal=True, file=printed)
    show = Screen(timeline, "dark", by_event=False, console=console, language=language)
    with NodeRenderer("tic-tac-toe", language) as renderer:
        count = len(timeline.frames())
        console.print(show.render(renderer, Playback(count, count - 1)))
    assert [one for one in words if one not in printed.getvalue()] == []
