"""Tests of the files in deploy/, except for nginx's configuration. The files must fit this version
of the program, and pass the linters for their formats."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tomllib
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import typer

from api.metrics import Metrics
from bots.service.messages import ServiceStatus
from chainboard.chain.anvil import ChainStats
from chainboard.options import OPTIONS
from chaos.process.forkserver import ForkedProcess
from indexer.follow.health import STATES, Counters, Health
from sponsor.messages import SponsorStatus
from tests.support.http import local
from tests.support.server import up
from tests.support.services.missing import skip_or_fail
from tests.support.waiting import PATIENCE_SECONDS, wait_for

TOP = Path(__file__).parents[3]
DEPLOY = TOP / "deploy"
RULES, DASHBOARD = DEPLOY / "prometheus" / "rules.yml", DEPLOY / "grafana" / "chainboard.json"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def expressions() -> list[str]:
    """Return the Prometheus expressions in the alerts and on the dashboard. Replace Grafana's
    variables with values."""
    rules = re.findall(r"^ +expr: (.+)$", RULES.read_text(), re.M)
    panels = json.loads(DASHBOARD.read_text())["panels"]
    drawn = [target["expr"] for panel in panels for target in panel["targets"]]
    return [one.replace("$__rate_interval", "1m").replace("$instance", ".*") for one in (*rules, *drawn)]


def samples() -> set[str]:
    """Return the names of all metrics that a gateway can report, as Prometheus stores them."""
    sponsor = SponsorStatus(balance=0)
    figures = (lambda: asdict(ChainStats()), lambda: ServiceStatus(), lambda: sponsor)
    metrics = Metrics(lambda: Health(counters=Counters()), *figures)
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
    return {family.name + end for family in metrics.registry.collect() for end in suffixes[family.type]}


def test_each_monitored_metric_exists() -> None:
    named = set(chain.from_iterable(re.findall(r"\bchainboard_\w+", one) for one in expressions()))
    assert len(named) > 15
    assert named - samples() == set()


def test_each_monitored_state_exists() -> None:
    states = [found.split("|") for one in expressions() for found in re.findall(r'state=~?"([^"]+)"', one)]
    assert states
    assert set(chain.from_iterable(states)) <= set(STATES)


def test_panels_stand_beside_each_other() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels)
    assert all(panel["targets"] and panel["title"] for panel in panels)


def test_prometheus_can_read_all_expressions(tmp_path: Path) -> None:
    promtool = _program("promtool")
    drawn = {"name": "drawn", "rules": [{"record": f"n{n}", "expr": one} for n, one in enumerate(expressions())]}
    (tmp_path / "drawn.yml").write_text(json.dumps({"groups": [drawn]}))
    for file in (RULES, tmp_path / "drawn.yml"):
        checked = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_systemd_can_read_the_units(tmp_path: Path) -> None:
    analyze = _program("systemd-analyze")
    for unit in UNITS:
        name = unit.name.replace("@.", "@8001.")
        (tmp_path / name).write_text(unit.read_text().replace("/opt/chainboard/bin/chainboard", sys.executable))
    command = [analyze, "verify", "--man=no", *sorted(tmp_path.iterdir())]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_units_are_started_again_however_often_they_end() -> None:
    """Tests that systemd restarts the units however often they end. For example, a gateway ends
    within two seconds if the database has no tables yet."""
    for unit in UNITS:
        before, _service, after = unit.read_text().partition("[Service]")
        assert "\nStartLimitIntervalSec=0\n" in before, unit.name
        assert "\nRestart=always\n" in after


def _program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=sysconfig.get_path("scripts"))
    return found or skip_or_fail(f"{name} is not on this machine (`make test-all` as root installs it)")


def test_settings_and_commands_are_there() -> None:
    options = [
        one for hint in OPTIONS.values() for one in hint.__metadata__ if isinstance(one, typer.models.OptionInfo)
    ]
    known = {str(one.envvar) for one in options}
    known |= {f"CHAINBOARD_SPONSOR_{part}" for part in ("KEYSTORE", "PASSWORD")}
    files = [*UNITS, DEPLOY / "systemd" / "chainboard.env", DEPLOY / "Containerfile"]
    named = set(chain.from_iterable(re.findall(r"CHAINBOARD_\w+", file.read_text()) for file in files))
    assert len(named) > 5
    assert named <= known
    commands = [re.search(r"^ExecStart=\S+/chainboard (\w+)", unit.read_text(), re.M) for unit in UNITS]
    assert [found and found[1] for found in commands] == ["index", "serve", "sponsor"]


def test_the_container_is_built_of_what_the_wheel_holds() -> None:
    hatch = tomllib.loads((TOP / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    parts = {*hatch["packages"], *hatch["force-include"]}
    text, ignored = (DEPLOY / "Containerfile").read_text(), (DEPLOY / "Containerfile.dockerignore").read_text()
    assert set(re.findall(r"^COPY (\S+) \1$", text, re.M)) == parts
    (files,) = re.findall(r"^COPY (.*) \./$", text, re.M)
    assert set(re.findall(r"^!(\S+)$", ignored, re.M)) == parts | set(files.split())
    assert all((TOP / name).is_file() for name in files.split())


def test_hadolint_finds_nothing_in_the_container_file() -> None:
    checked = subprocess.run(
        [_program("hadolint"), "--no-color", DEPLOY / "Containerfile"], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_systemd_is_told_when_it_serves_and_when_it_drains(tmp_path: Path) -> None:
    with up(tmp_path / "data") as server, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        arguments = ("serve", "--data", str(tmp_path / "data"), "--port", "0", "--drain", "0")
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        process = ForkedProcess(arguments, tmp_path / "out", tmp_path / "out", environment)
        try:
            assert line.recv(100) == b"READY=1"
            # When `serve` prints its URL, it has already notified systemd.
            printed = wait_for((tmp_path / "out").read_text, lambda text: text.endswith("/\n"), "the line with the URL")
            url = printed.split()[-1]
            assert local.get(url + "api/ready").status_code == 200
            process.send_signal(signal.SIGTERM)
            assert line.recv(100) == b"STOPPING=1"
            assert process.wait(PATIENCE_SECONDS) == 0
        finally:
            process.kill()
        assert server.get("/api/ready")["ready"] is True
