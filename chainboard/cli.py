"""The command line: flags and CHAINBOARD_* variables alike."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import typer

from api.static.texts import Language
from chainboard.options import OPTIONS, with_settings
from chainboard.settings import Settings, parse_address
from indexer.gamekit.names import BadName, parse_match

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    epilog="The documentation is in the folder docs of the source code: start with docs/index.md.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"chainboard {version('chainboard')}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Board games on an Ethereum chain."""


@app.command()
@with_settings(*OPTIONS)
def up(settings: Settings) -> None:
    """Start the chain, deploy, index and serve the page: the main job."""
    from chainboard.commands import jobs, services

    jobs.run(services.up(settings))


@app.command()
def build() -> None:
    """Compile the contracts to artifacts, where they changed."""
    from chainboard.chain.deployment import compile_contracts

    built = compile_contracts()
    print("Compiled: " + ", ".join(built) if built else "Nothing has changed")


@app.command()
@with_settings("data", "rpc", "dev", "rpc_timeout", "rpc_rate", "coin")
def deploy(
    settings: Settings, yes: Annotated[bool, typer.Option("--yes", help="Agree to what it costs.")] = False
) -> None:
    """Put the contracts on a chain and write the deployment manifest. It tells what that costs, and asks."""
    from chainboard.commands import deploy, jobs

    jobs.run(deploy.deploy(settings, yes))


@app.command()
@with_settings("data", "rpc", "rpc_timeout", "rpc_rate")
def adopt(
    source: Annotated[str, typer.Argument(metavar="URL|FILE", help="Its gateway or manifest.")], *, settings: Settings
) -> None:
    """Follow a deployment of somebody else's, after comparing its code and first blocks with the chain."""
    from chainboard.commands import adopt, jobs

    jobs.run(adopt.adopt(settings, source))


@app.command()
@with_settings("data", "database", "rpc", "dev", "rpc_timeout", "rpc_rate", "rpc_ws")
def index(settings: Settings, once: Annotated[bool, typer.Option("--once", help="End at the head.")] = False) -> None:
    """Follow the chain into the database."""
    from chainboard.commands import index, jobs

    jobs.run(index.index(settings, once))


@app.command()
@with_settings(*(one for one in OPTIONS if one not in ("block_time", "opponents", "rpc_ws")))
def serve(settings: Settings) -> None:
    """Serve the page and the gateway alone, over a database that is there."""
    from chainboard.commands import jobs, services

    jobs.run(services.serve(settings))


@app.command()
@with_settings("data", "database")
def replay(
    source: Annotated[str, typer.Argument(metavar="GAME/ID|FILE", help="A match of the index, or a replay file.")],
    at: Annotated[
        int | None, typer.Option(metavar="SEQ", help="At this event; else from the first, or the last.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0.1, max=50, help="Steps a second.")] = 1.0,
    step: Annotated[Literal["tx", "event"], typer.Option(help="A step is a transaction, or a single event.")] = "tx",
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write it, as its ending says: .json .html .svg .png .gif .webp"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    theme: Annotated[
        Literal["light", "dark"] | None, typer.Option(help="Its colours; else light ones in files, dark ones here.")
    ] = None,
    language: Annotated[
        Language, typer.Option(envvar="CHAINBOARD_LANGUAGE", help="Of what happened, in words.")
    ] = "en",
    *,
    settings: Settings,
) -> None:
    """Play a match in the terminal, or write it to a file."""
    from chainboard.commands import replay
    from replay.export.formats import ENDINGS
    from replay.file import is_file

    if export is not None and export.suffix.lower() not in ENDINGS:
        raise typer.BadParameter(f"a replay is written as {', '.join(ENDINGS)}, not as {export.name!r}")
    found = Path(source) if is_file(source) else _match(source)
    options = replay.ReplayOptions(at, speed, step == "event", theme, export, force, language)
    replay.run(settings, found, options)


@app.command()
@with_settings("data", "database", "rpc", "rpc_timeout", "rpc_rate")
def verify(
    match: Annotated[
        str | None,
        typer.Argument(metavar="[GAME/ID|FILE]", help="One match or a replay file; else the whole database."),
    ] = None,
    *,
    settings: Settings,
    repair: Annotated[bool, typer.Option("--repair", help="Write what the chain says where it differs.")] = False,
) -> None:
    """Prove the database, or a replay file, against the chain: its receipts, and the contracts' own views."""
    from chainboard.commands import jobs, verify
    from replay.file import is_file

    if match is not None and is_file(match):
        if repair:
            raise typer.BadParameter("a file can't be repaired: --repair is for the database")
        jobs.run(verify.verify_file(settings, Path(match)))
        return
    jobs.run(verify.verify(settings, _match(match) if match else None, repair))


def _match(name: str) -> tuple[str, int]:
    from indexer.games import GAMES

    try:
        game, match = parse_match(GAMES, name)
    except BadName as error:
        raise typer.BadParameter(str(error)) from error
    return game.slug, match


@app.command()
@with_settings("data", "database")
def sql(
    query: Annotated[str | None, typer.Argument(metavar='"SELECT …"', help="The question.")] = None,
    *,
    settings: Settings,
    format: Annotated[Literal["table", "csv", "json"], typer.Option(help="How the rows are printed.")] = "table",
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds that the query may take.")] = 30,
    views: Annotated[bool, typer.Option("--views", help="List what can be asked about.")] = False,
) -> None:
    """Ask the index a question: one read-only SELECT."""
    from chainboard.commands import sql

    if (query is None) != views:
        raise typer.BadParameter("give one query, or --views", param_hint="QUERY")
    if query is None:
        sql.list_views(settings, timeout)
    else:
        sql.ask(settings, query, format, timeout)


@app.command("new-game")
def new_game(name: Annotated[str, typer.Argument(metavar="NAME", help="Such as connect-four.")]) -> None:
    """Write the skeleton of a game into a checkout, with failing tests that say what is next."""
    from chainboard.commands.new_game import GameNames, new_game

    print("\n".join(f"Wrote {path}" for path in new_game(name)))
    module = GameNames(name).fill_in("@MODULE@")
    print(
        f"Next: .venv/bin/chainboard build, then .venv/bin/pytest -n 0 tests -k {module}. What fails says what is next."
    )


@app.command()
def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as its addresses have it.")],
    first: Annotated[str, typer.Argument(metavar="A", help="An opponent: its name, random, or FILE.py[:NAME].")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one; it may be the same.")],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="Matches; seats are swapped after each.")] = 100,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="Repeats the matches; else one is drawn.")
    ] = None,
) -> None:
    """Let two opponents play each other, without a chain."""
    from chainboard.commands import arena
    from indexer.games import GAMES

    if game not in GAMES:
        raise typer.BadParameter(f"there is no game {game!r}; the games: {', '.join(sorted(GAMES))}")
    arena.run(GAMES[game], first, second, games, seed)


@app.command()
@with_settings("data", "rpc", "opponents")
def bots(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME:NAME|GAME:FILE.py]...", help="Who plays; else all that Chainboard has."),
    ] = None,
    *,
    settings: Settings,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="A gateway; else that of the `up` of the data folder.")
    ] = None,
    keeper: Annotated[
        bool, typer.Option("--keeper/--no-keeper", help="Claim what anybody may claim when a clock has run out.")
    ] = True,
    contracts: Annotated[
        list[str] | None,
        typer.Option(
            "--contract",
            parser=parse_address,
            metavar="ADDRESS",
            help="A contract that gets ether of yours, beside those of the data folder; may be repeated.",
        ),
    ] = None,
    budget: Annotated[
        float, typer.Option(min=0, help="Ether a day that your account gives them, where there is no faucet.")
    ] = 0,
    stake: Annotated[float, typer.Option(min=0, help="The highest stake in ether; 0: friendly matches only.")] = 0,
    piped: Annotated[
        bool, typer.Option("--piped", help="A gateway asks over standard input, with an object a line, as `up` does.")
    ] = False,
) -> None:
    """Let the computer play, and claim what has run out: against the `up` of a data folder, or any gateway."""
    from chainboard.commands import bots, jobs

    options = bots.BotOptions(
        url, names or (), keeper, contracts or (), int(budget * 10**18), int(stake * 10**18), piped
    )
    jobs.run(bots.run(settings, options))


@app.command()
@with_settings("data", "database", "rpc", "rpc_timeout", "rpc_rate")
def sponsor(
    settings: Settings,
    per_day: Annotated[float, typer.Option(min=0, help="Ether a day (UTC) in all, fees included.")],
    per_address: Annotated[float | None, typer.Option(min=0, help="Of it for one address; else a tenth.")] = None,
    per_network: Annotated[
        float | None, typer.Option(min=0, help="Of it for one network address (of IPv6: a /64); else a quarter.")
    ] = None,
    per_game: Annotated[float | None, typer.Option(min=0, help="Of it for one game; else all.")] = None,
) -> None:
    """Give visitors without ether what their next moves cost, from an account of yours, within budgets."""
    from chainboard.commands import jobs, sponsor

    jobs.run(sponsor.run(settings, sponsor.budgets_of(per_day, per_game, per_network, per_address)))


@app.command()
@with_settings("data", "database")
def names(
    settings: Settings,
    action: Annotated[Literal["list", "remove", "block", "unblock", "blocked"], typer.Argument(metavar="ACTION")],
    word: Annotated[str, typer.Argument(metavar="[NAME|ADDRESS|WORD]", help="What to remove, block or unblock.")] = "",
) -> None:
    """Manage nicknames: `list` them, `remove` one by name or address (this also blocks it), `block` or `unblock` a
    word, or list the `blocked` words."""
    from chainboard.commands import names

    if (word == "") != (action in ("list", "blocked")):
        raise typer.BadParameter("remove, block and unblock need a name or a word, list and blocked none")
    names.run(settings, action, word)


@app.command()
@with_settings("data")
def reset(settings: Settings) -> None:
    """Put the data folder's chain and database aside; the next `up` starts anew."""
    from chainboard.data_folder import archive, database_files, folder_lock, sqlite_files

    files = [settings.chain, settings.manifest, *database_files(settings), *sqlite_files(settings.journal)]
    with folder_lock(settings):
        archived = archive(settings, files)
    print(f"The old data are in {archived}" if archived else f"There was nothing in {settings.data}")
