"""The commands with their arguments and options. CHAINBOARD_* variables also set options."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import typer

from api.static.texts import Language
from chainboard import options
from chainboard.options import OPTIONS, with_settings
from chainboard.settings import Settings
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
    """Start everything: the chain, the contracts, the index and the page."""
    from chainboard.commands import jobs, services

    jobs.run(services.up(settings))


@app.command()
def build() -> None:
    """Compile the contracts that changed."""
    from chainboard.chain.deployment import compile_contracts

    built = compile_contracts()
    print("Compiled: " + ", ".join(built) if built else "Nothing changed: all contracts are already compiled")


@app.command()
@with_settings("data", "rpc", "dev", "rpc_timeout", "rpc_rate", "coin")
def deploy(
    settings: Settings,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation of the cost.")] = False,
) -> None:
    """Deploy the contracts after you confirm the cost, and write the deployment manifest."""
    from chainboard.commands import deploy, jobs

    jobs.run(deploy.deploy(settings, yes))


@app.command()
@with_settings("data", "rpc", "rpc_timeout", "rpc_rate")
def adopt(
    source: Annotated[str, typer.Argument(metavar="URL|FILE", help="A gateway's URL, or a deployment.json file.")],
    *,
    settings: Settings,
) -> None:
    """Use contracts that someone else deployed, after checking their code and first blocks."""
    from chainboard.commands import adopt, jobs

    jobs.run(adopt.adopt(settings, source))


@app.command()
@with_settings("data", "database", "rpc", "dev", "rpc_timeout", "rpc_rate", "rpc_ws")
def index(
    settings: Settings,
    once: Annotated[bool, typer.Option("--once", help="Stop when the newest block is indexed.")] = False,
) -> None:
    """Index the chain into the database."""
    from chainboard.commands import index, jobs

    jobs.run(index.index(settings, once))


@app.command()
@with_settings(*(one for one in OPTIONS if one not in ("block_time", "opponents", "rpc_ws")))
def serve(settings: Settings) -> None:
    """Serve only the page and the gateway from an existing database."""
    from chainboard.commands import jobs, services

    jobs.run(services.serve(settings))


@app.command()
@with_settings("data", "database")
def replay(
    source: options.MatchOrFile,
    at: options.AtEvent = None,
    speed: Annotated[float, typer.Option(min=0.1, max=50, help="Steps per second.")] = 1.0,
    step: options.StepSize = "tx",
    export: options.ExportFile = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the exported file if it exists.")] = False,
    theme: options.Theme = None,
    language: Annotated[
        Language, typer.Option(envvar="CHAINBOARD_LANGUAGE", help="Language of the texts that describe events.")
    ] = "en",
    *,
    settings: Settings,
) -> None:
    """Play back a match in the terminal, or export it to a file."""
    from chainboard.commands import replay
    from replay.export.formats import SUFFIXES
    from replay.file import is_file

    if export is not None and export.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(f"{export.name!r} has no supported suffix: use {', '.join(SUFFIXES)}")
    found = Path(source) if is_file(source) else _match(source)
    chosen = replay.ReplayOptions(at, speed, step == "event", theme, export, force, language)
    replay.run(settings, found, chosen)


@app.command()
@with_settings("data", "database", "rpc", "rpc_timeout", "rpc_rate")
def verify(
    match: options.MatchOrFileOrAll = None,
    *,
    settings: Settings,
    repair: Annotated[
        bool, typer.Option("--repair", help="Correct the database's rows that differ from the chain.")
    ] = False,
) -> None:
    """Compare the database or a replay file with the chain's receipts and the contracts' views."""
    from chainboard.commands import jobs, verify
    from replay.file import is_file

    if match is not None and is_file(match):
        if repair:
            raise typer.BadParameter("--repair works on the database, not on a replay file")
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
    query: Annotated[str | None, typer.Argument(metavar='"SELECT …"', help="The query, in quotes.")] = None,
    *,
    settings: Settings,
    format: Annotated[Literal["table", "csv", "json"], typer.Option(help="Format of the output.")] = "table",
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, help="Time limit of the query, in seconds.")] = 30,
    views: Annotated[bool, typer.Option("--views", help="List the views and their columns, without a query.")] = False,
) -> None:
    """Query the index with one read-only SELECT."""
    from chainboard.commands import sql

    if (query is None) != views:
        raise typer.BadParameter("use either a query or --views", param_hint="QUERY")
    if query is None:
        sql.list_views(settings, timeout)
    else:
        sql.run_query(settings, query, format, timeout)


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name in URLs, such as connect-four.")],
) -> None:
    """Generate a new game in this checkout, with tests that fail until you implement it."""
    from chainboard.commands.new_game import GameNames, new_game

    print("\n".join(f"Wrote {path}" for path in new_game(name)))
    module = GameNames(name).fill_in("@MODULE@")
    print(
        f"Next: run .venv/bin/chainboard build, then .venv/bin/pytest -n 0 tests -k {module}. The tests show what is "
        "missing."
    )


@app.command()
def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name in URLs, such as tic-tac-toe.")],
    first: options.FirstPlayer,
    second: options.SecondPlayer,
    games: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Number of matches. The players swap seats after each match.")
    ] = 100,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**63 - 1, help="Seed. The same seed repeats the same matches. Default: random."),
    ] = None,
) -> None:
    """Let two computer players play against each other, without a chain."""
    from chainboard.commands import arena
    from indexer.games import GAMES

    if game not in GAMES:
        raise typer.BadParameter(f"there is no game {game!r}; the games are {', '.join(sorted(GAMES))}")
    arena.run(GAMES[game], first, second, games, seed)


@app.command()
@with_settings("data", "rpc", "opponents")
def bots(
    names: options.ComputerPlayers = None,
    *,
    settings: Settings,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="URL of the gateway to play at. Default: the `up` of the data folder."),
    ] = None,
    keeper: Annotated[
        bool,
        typer.Option(
            "--keeper/--no-keeper", help="Also send actions that anyone may send, such as claims of timeouts."
        ),
    ] = True,
    contracts: options.Contracts = None,
    budget: options.Budget = 0,
    stake: Annotated[
        float, typer.Option(min=0, help="Highest stake that computer players accept, in ether. 0 means no stakes.")
    ] = 0,
    piped: Annotated[
        bool, typer.Option("--piped", help="Read requests from standard input, one JSON object per line.")
    ] = False,
) -> None:
    """Run computer players and the keeper at a data folder's `up` or at any gateway."""
    from chainboard.commands import bots, jobs

    chosen = bots.BotOptions(
        url, names or (), keeper, contracts or (), int(budget * 10**18), int(stake * 10**18), piped
    )
    jobs.run(bots.run(settings, chosen))


@app.command()
@with_settings("data", "database", "rpc", "rpc_timeout", "rpc_rate")
def sponsor(
    settings: Settings,
    per_day: Annotated[
        float, typer.Option(min=0, help="Maximum ether to spend per day (UTC) in total, including fees.")
    ],
    per_address: options.PerAddress = None,
    per_network: options.PerNetwork = None,
    per_game: Annotated[
        float | None, typer.Option(min=0, help="Maximum ether per day for a game. Default: no limit.")
    ] = None,
) -> None:
    """Pay for the next moves of visitors who have no ether, within daily budgets."""
    from chainboard.commands import jobs, sponsor

    jobs.run(sponsor.run(settings, sponsor.budgets_of(per_day, per_game, per_network, per_address)))


@app.command()
@with_settings("data", "database")
def names(
    settings: Settings,
    action: options.NameAction,
    word: options.NameOrWord = "",
) -> None:
    """Manage players' nicknames, and the words that new nicknames must not contain."""
    from chainboard.commands import names

    if (word == "") != (action in ("list", "blocked")):
        raise typer.BadParameter(
            "add a name or a word after remove, block or unblock, but nothing after list or blocked"
        )
    names.run(settings, action, word)


@app.command()
@with_settings("data")
def reset(settings: Settings) -> None:
    """Archive the data folder's chain and database. The next `up` starts from scratch."""
    from chainboard.data_folder import archive, database_files, folder_lock, sqlite_files

    files = [settings.chain, settings.manifest, *database_files(settings), *sqlite_files(settings.journal)]
    with folder_lock(settings):
        archived = archive(settings, files)
    print(f"Moved the old data to {archived}" if archived else f"{settings.data} has no data to archive")
