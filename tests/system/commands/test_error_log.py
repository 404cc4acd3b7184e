"""Tests that the program prints one sentence and writes a log file after an unforeseen error. Only
the current user can read the log, which never overwrites a file."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from chainboard import __main__ as console
from chainboard import errors
from chainboard.errors import UserError
from tests.support.server import run

NAME = "chainboard-error.log"


def raise_unforeseen_error(**_options: object) -> None:
    raise RuntimeError("the moon is full")


@pytest.fixture
def shared_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that the program now uses for temporary files. It stands for a folder to
    which other users can also write."""
    monkeypatch.setattr(errors.tempfile, "tempdir", str(tmp_path))
    return tmp_path


def printed_error(capsys: pytest.CaptureFixture[str]) -> str:
    assert console._run(raise_unforeseen_error) == 1
    said = capsys.readouterr().err
    assert said.startswith("chainboard: unexpected error: the moon is full. Please report this error")
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("error", [UserError, RuntimeError])
def test_control_characters_in_an_error_are_not_printed(
    shared_folder: Path, capsys: pytest.CaptureFixture[str], error: type[Exception]
) -> None:
    def refused(**_options: object) -> None:
        raise error("it says \x1b]52;c;cm0gLXJmIH4K\x07\x1b[2J\x9b\rchainboard: adopted\nand ends")

    assert shared_folder.is_dir()
    assert console._run(refused) == 1
    said = capsys.readouterr().err
    assert "]52;c;" in said
    assert {letter for letter in said if not letter.isprintable()} == {"\n"}


def test_planted_link_is_not_followed(shared_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    victim = shared_folder / "victim.txt"
    victim.write_text("precious")
    (shared_folder / NAME).symlink_to(victim)
    log = Path(printed_error(capsys).split(" attach ")[1].strip())
    assert victim.read_text() == "precious"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert re.search(r"Traceback[\s\S]*the moon is full", log.read_text("utf-8"))


def test_a_folder_with_the_name_of_the_log_does_no_harm(
    shared_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shared_folder / NAME).mkdir()
    assert Path(printed_error(capsys).split(" attach ")[1].strip()).is_file()


def test_a_log_that_can_not_be_written_is_told(
    shared_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors.tempfile, "tempdir", str(shared_folder / "nowhere"))
    assert "The log could not be written (No such file or directory)" in printed_error(capsys)


def test_a_start_asks_nothing_of_the_shared_folder(tmp_path: Path) -> None:
    """Tests that a command doesn't use lock files in a shared folder for temporary files. A lock
    file with a known name could be another user's, or a link to itself."""
    shared_folder = tmp_path / "shared"
    shared_folder.mkdir()
    lock = shared_folder / f"chainboard-{os.getuid()}.lock"
    lock.symlink_to(lock)
    answer = run("deploy", "--data", str(tmp_path / "data"), TMPDIR=str(shared_folder))
    assert answer.returncode == 0, answer.stderr
