"""Tests that a command gets its settings from options and CHAINBOARD_* variables."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from chainboard.chain.connect import node_at, open_chain
from chainboard.cli import app
from chainboard.errors import UserError
from chainboard.options import OPTIONS, with_settings
from chainboard.settings import Settings

BAD_COINS = ("", "1INCH", "PO L", "<b>POL</b>", "-", "TWELVELETTER")
BAD_RATES = (
    "",
    "2500",
    "EUR",
    "EUR:",
    ":5",
    "eur:5",
    "EURO:5",
    "EUR:0",
    "EUR:-1",
    "EUR:5,5",
    "EUR:nan",
    "EUR:inf",
    "EUR:2e12",
)
BAD_AMOUNTS = ("", "-0.01", "a cent", "0,01", "nan", "inf", "2e12")
ONE, TWO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
FLAGS = [
    *("--data", "there", "--database", "sqlite:///x.db", "--rpc", "http://a", "--rpc", "http://b", "--dev"),
    *("--host", "::1", "--port", "0", "--block-time", "2", "--token", ONE, "--token", TWO, "--rpc-timeout", "0.5"),
    *("--connections", "7", "--proxy", "10.0.0.0/8", "--proxy", "2001:db8::1", "--opponents", "9"),
    *("--public-url", "HTTPS://Play.example.org/", "--max-lag", "5.5", "--drain", "3"),
    *("--rpc-rate", "25", "--rpc-ws", "wss://a/ws", "--rpc-ws", "none", "--coin", "USDC.e", "--rate", "EUR:0.9"),
    *("--tell-costs-above", "0.5"),
]
SETTINGS = Settings(
    data=Path("there"), database="sqlite:///x.db", rpc=("http://a", "http://b"), dev=True, host="::1", port=0,
    block_time=2, tokens=(ONE, TWO), rpc_timeout=0.5, connections=7, proxies=("10.0.0.0/8", "2001:db8::1/128"),
    opponents=9, public_url="https://play.example.org", max_lag=5.5, drain=3,
    rpc_rate=25, rpc_ws=("wss://a/ws", "none"), coin="USDC.e", rate="EUR:0.9", tell_costs_above=0.5,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the CHAINBOARD_* variable that is set for all other tests."""
    monkeypatch.delenv("CHAINBOARD_OPPONENTS")


def said(*arguments: str, options: tuple[str, ...] = tuple(OPTIONS), **variables: str) -> tuple[Settings, str, bool]:
    """Return the settings and the command's own options that result from these arguments."""
    app, heard = typer.Typer(), []

    @app.command()
    @with_settings(*options)
    def command(name: str, *, settings: Settings, loud: Annotated[bool, typer.Option("--loud")] = False) -> None:
        heard.append((settings, name, loud))

    result = CliRunner().invoke(app, ["it", *arguments], env=variables, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return heard[0]


def test_every_setting_is_an_option() -> None:
    assert set(OPTIONS) == {one.name for one in fields(Settings)}


def test_unless_it_is_said_a_setting_is_its_default() -> None:
    assert said() == (Settings(), "it", False)


def test_flags_are_settings() -> None:
    assert said(*FLAGS, "--loud") == (SETTINGS, "it", True)


def test_so_are_variables_where_no_flag_says_otherwise() -> None:
    found, *_ = said(
        "--host", "::1", CHAINBOARD_HOST="0.0.0.0", CHAINBOARD_RPC="http://a http://b", CHAINBOARD_PORT="5"
    )
    assert found == Settings(host="::1", rpc=("http://a", "http://b"), port=5)


def test_a_command_hears_only_of_its_own() -> None:
    found, *_ = said("--data", "there", options=("data",), CHAINBOARD_HOST="0.0.0.0")
    assert found == Settings(Path("there"))


@pytest.mark.parametrize(
    ("flag", "value", "sentence"),
    [
        ("--public-url", "play.example.org", "not a site's URL such as https://example.org"),
        ("--public-url", "https://play.example.org/chess?a", "is not a site's URL"),
        ("--public-url", "ftp://play.example.org", "is not a site's URL"),
        ("--proxy", "10.0.0.1/8", "is not an IP address or a network such as 10.0.0.0/8"),
        ("--proxy", "proxy.example.org", "is not an IP address"),
        ("--rpc-rate", "0", "Input should be greater than or equal to 0.1"),
        ("--rpc-ws", "https://node.example", "is neither a websocket URL such as wss://node.example nor 'none'"),
        ("--rpc-ws", "ws://", "is neither a websocket URL"),
        ("--rpc-ws", "ws://[", "is neither a websocket URL"),
        ("--max-lag", "-1", "Input should be greater than or equal to 0"),
        ("--drain", "soon", "Input should be a valid number"),
        *(
            ("--coin", bad, f"{bad!r} is not a valid coin symbol: use up to 11 letters and digits, such as ETH")
            for bad in BAD_COINS
        ),
        *(("--rate", bad, f"{bad!r} is not a rate: use a currency's three capital letters") for bad in BAD_RATES),
        *(
            ("--tell-costs-above", bad, f"{bad!r} is not an amount: use 0 or a positive number, such as 0.01")
            for bad in BAD_AMOUNTS
        ),
    ],
)
def test_what_can_not_be_is_told_in_a_sentence(flag: str, value: str, sentence: str) -> None:
    app = typer.Typer()
    app.command()(with_settings(*OPTIONS)(_nothing))
    result = CliRunner().invoke(app, [flag, value], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("rpc", "sockets", "sentence"),
    [
        (("ws://node.example",), (), "is not a node's URL: use a URL such as http://127.0.0.1:8545"),
        (("http://[",), (), "is not a node's URL"),
        (("http://node.example:0",), (), "is not a node's URL"),
        (
            ("http://a", "http://b"),
            ("ws://a",),
            "there are 1 --rpc-ws options for 2 --rpc options: use one --rpc-ws for each",
        ),
        (("http://a",), ("ws://a", "ws://b"), "there are 2 --rpc-ws options for 1 --rpc"),
    ],
)
def test_nodes_that_can_not_be_are_told_in_a_sentence(
    tmp_path: Path, rpc: tuple[str, ...], sockets: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(UserError, match=re.escape(sentence)):
        node_at(Settings(tmp_path, rpc=rpc, rpc_ws=sockets), rpc)


async def test_a_websocket_of_no_node_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--rpc-ws needs --rpc"):
        async with open_chain(Settings(tmp_path, rpc_ws=("none",))):
            pass


def test_a_rate_is_each_nodes_and_that_of_all_its_clients(tmp_path: Path) -> None:
    node = node_at(Settings(tmp_path, rpc=("http://a",), rpc_rate=7, rpc_ws=("none",)), ("http://a",))
    assert (node.pacer.rate, node.with_own_connections().pacer) == (7, node.pacer)


def _nothing(settings: Settings) -> None: ...


@pytest.mark.parametrize("program", [("-m", "chainboard"), (str(Path(sys.executable).with_name("chainboard")),)])
def test_the_program_says_its_version(program: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, *program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"chainboard {version('chainboard')}\n"


def test_help_says_where_the_documentation_is() -> None:
    said = CliRunner().invoke(app, ["--help"]).stdout
    [place] = re.findall(r"docs/\w+\.md", said)
    assert (Path(__file__).parents[2] / place).is_file()


def test_completion_is_not_offered() -> None:
    done = CliRunner().invoke(app, ["--install-completion"])
    assert (done.exit_code, "No such option" in done.stderr) == (2, True)
