"""Tests of `make`, usually a newcomer's first command. If a program is missing, `make` must explain
in one sentence what to install."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.page import browser
from tests.support.services import nginx, pgbouncer, postgres

TOP = Path(__file__).parents[3]
TOOLS = ("make", "sh", "env", "test", "echo", "touch", "grep", "head", "sleep")


def make(
    folder: Path, *arguments: str, programs: dict[str, str], **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `make` with a copy of the Makefile. The PATH contains only basic tools and these
    programs."""
    bin = folder / "bin"
    bin.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found is not None:
            (bin / name).symlink_to(found)
    for name, script in programs.items():
        (bin / name).write_text(script)
        (bin / name).chmod(0o755)
    shutil.copy(TOP / "Makefile", folder)
    for name in ("pyproject.toml", "requirements.txt", "requirements-dev.txt", "package-lock.json"):
        (folder / name).touch()
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, *arguments],
        cwd=folder,
        env={"PATH": str(bin), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


PYTHON = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
OLD = "#!/bin/sh\nexit 1\n"


@pytest.mark.parametrize(
    ("programs", "sentence"),
    [
        ({}, "Chainboard needs Python 3.11 or newer"),
        ({"python3": OLD}, "Chainboard needs Python 3.11 or newer"),
        ({"python3": PYTHON}, "Chainboard needs Node 20 or newer with npm"),
        ({"python3": PYTHON, "node": OLD, "npm": OLD}, "Chainboard needs Node 20 or newer with npm"),
        ({"python3": PYTHON, "node": "#!/bin/sh\nexit 0\n"}, "Chainboard needs Node 20 or newer with npm"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, programs: dict[str, str], sentence: str) -> None:
    answer = make(tmp_path, "play", programs=programs)
    assert answer.returncode != 0
    assert sentence in answer.stdout
    assert not (tmp_path / ".venv").exists()


# ---- tests of the installation of Debian packages


ROOT, PLAIN = "#!/bin/sh\necho 0\n", "#!/bin/sh\necho 1000\n"
APT = """#!/bin/sh
# {folder}/apt: a line for each call; {folder}/fails: one line less for each install, and it fails while there are any
test -x {folder}/policy && echo "$*" >> {folder}/apt
case "$*" in
*" update") exit {updated} ;;
esac
if test -s {folder}/fails; then
  echo "W: noise" >&2
  read -r why < {folder}/fails
  echo "$why" >&2
  sed -i 1d {folder}/fails
  exit 100
fi
touch {folder}/chromium
mkdir -p {folder}/postgresql
"""
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend"
UNKNOWN = "E: Unable to locate package chromium"


def make_debian(
    folder: Path, fails: Sequence[str] = (), id: str = ROOT, updated: int = 0, apt: bool = True, **environment: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run `make debian` with a fake apt-get, which fails once for each reason in `fails`. Return
    the result of `make`, and the list of calls to apt-get, each "update" or "install".

    The fake apt-get checks that a policy file prevents packages from starting services."""
    (folder / "fails").write_text("".join(f"{why}\n" for why in fails))
    programs = {"id": id}
    if apt:
        programs["apt-get"] = APT.format(folder=folder, updated=updated)
    for name in ("sed", "chmod", "mkdir", "rm"):
        programs[name] = f'#!/bin/sh\nexec {shutil.which(name)} "$@"\n'
    needed = f"NEEDED=chromium={folder / 'chromium'} postgresql={folder / 'postgresql'}"
    answer = make(
        folder, "debian", needed, f"POLICY={folder / 'policy'}", "APT_PAUSE=0", programs=programs, **environment
    )
    calls = (folder / "apt").read_text().splitlines() if (folder / "apt").exists() else []
    return answer, ["update" if call.endswith(" update") else "install" for call in calls]


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "chromium").touch()
    (tmp_path / "postgresql").mkdir()
    answer, calls = make_debian(tmp_path, CI="true")
    assert (answer.returncode, answer.stdout, answer.stderr, calls) == (0, "", "", [])


def test_what_is_missing_alone_is_named(tmp_path: Path) -> None:
    (tmp_path / "chromium").touch()
    answer, _calls = make_debian(tmp_path, CI="true")
    assert answer.stdout == "Installing postgresql with apt-get (once)\n"


@pytest.mark.parametrize(
    ("fails", "updated", "calls"),
    [
        ([], 0, ["install"]),
        ([UNKNOWN], 0, ["install", "update", "install"]),
        ([LOCKED, LOCKED], 100, ["install", "update", "install", "update", "install"]),
    ],
)
def test_packages_are_installed_once_whatever_holds_apt_up(
    tmp_path: Path, fails: list[str], updated: int, calls: list[str]
) -> None:
    answer, asked = make_debian(tmp_path, fails, updated=updated, CI="true")
    assert (answer.returncode, asked) == (0, calls)
    assert answer.stdout == "Installing chromium postgresql with apt-get (once)\n"
    first = (tmp_path / "apt").read_text().splitlines()[0]
    assert "DPkg::Lock::Timeout=" in first  # apt-get must wait while another process holds its lock
    assert "Acquire::Retries=" in first  # apt-get must retry if a mirror fails
    assert "--no-upgrade chromium postgresql fonts-dejavu-core" in first
    assert not (tmp_path / "policy").exists()


def test_a_policy_of_the_machines_own_stays(tmp_path: Path) -> None:
    """Tests that `make` keeps a policy file that already exists, as in container images. It removes
    only a policy file that it has created."""
    (tmp_path / "policy").write_text("#!/bin/sh\nexit 101\n")
    (tmp_path / "policy").chmod(0o755)
    _answer, calls = make_debian(tmp_path)
    assert calls == ["install"]
    assert (tmp_path / "policy").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"id": PLAIN}, "make installs them only as root, with apt-get"),
        ({"apt": False}, "make installs them only as root, with apt-get"),
        ({"fails": [UNKNOWN] * 99}, f"apt-get failed to install them ({UNKNOWN})"),
    ],
)
def test_where_packages_cannot_be_had_a_sentence_says_so_and_ci_fails(
    tmp_path: Path, options: dict[str, Any], why: str
) -> None:
    for name, code, end in (("user", 0, "a Python package instead."), ("ci", 2, "With CI=true this is an error.")):
        folder = tmp_path / name
        folder.mkdir()
        answer, calls = make_debian(folder, **options, CI=str(name == "ci").lower())
        assert (answer.returncode, bool(calls)) == (code, "fails" in options)
        lines = answer.stdout.splitlines()
        assert lines[-2] == f"Missing on this machine: chromium postgresql; {why}."
        assert lines[-1].endswith(end)
        assert not (folder / "policy").exists()


def test_the_tests_look_where_packages_put_their_programs() -> None:
    text = (TOP / "Makefile").read_text().replace("\\\n", "")
    needed = re.search(r"^NEEDED := (.*)$", text, re.M)
    assert needed is not None
    paths = dict(one.split("=") for one in needed[1].split())
    looked = {
        "chromium": browser.CHROMIUM,
        "nginx": nginx.PROGRAM,
        "postgresql": postgres.DEBIAN_VERSIONS,
        "pgbouncer": pgbouncer.PROGRAM,
    }
    assert {name: paths[name] for name in looked} == {name: str(path) for name, path in looked.items()}


def test_only_make_test_all_installs_debians_packages_and_before_pytest() -> None:
    """Tests that `make test-all` is the only test target that installs Debian packages. It must
    install them before it runs pytest. Otherwise, several pytest workers would wait for apt's
    lock."""
    rules = dict(re.findall(r"^(test[a-z-]*):(.*?)##", (TOP / "Makefile").read_text(), re.M))
    assert {name for name, needs in rules.items() if "debian" in needs.split()} == {"test-system"}
    assert rules["test-all"].split() == ["test", "test-system"]


INSTALLS = re.compile(
    r"apt-get|\bapt install|npm (?:install|ci)\b|pip[\"', ]+install|playwright[\"', ]+install|[\"']install[\"']"
)
OFFLINE = ("--no-index", "--no-build-isolation")
"""The options that tests must pass to `pip install`. With these options, pip downloads nothing and
installs only local packages."""


def test_no_test_installs_anything() -> None:
    for file in sorted((TOP / "tests").rglob("*")):
        if file.suffix not in (".py", ".mjs", ".cjs", ".js", ".sh") or file == Path(__file__).resolve():
            continue
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if INSTALLS.search(line) and not line.lstrip().startswith(("assert", "with pytest.raises", '"""')):
                assert all(option in line for option in OFFLINE), f"{file}:{number}: {line.strip()}"
