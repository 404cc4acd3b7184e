"""The final checks of a scenario. They compare the database with a newly built index, the boards
with the contracts, and the clients with the server."""

from __future__ import annotations

from collections.abc import Mapping

from chainboard.chain.deployment import known_deployments
from chaos.harness import Harness
from chaos.oracle import build_fresh_index, contract_boards, difference, open_snapshot, rows_of
from indexer.games import GAMES
from indexer.model import Json, match_name


async def violations(at: Harness) -> list[str]:
    """Return one sentence per inconsistency that the final checks find now."""
    return await _lagging(at) or await _differences(at)


async def _lagging(at: Harness) -> list[str]:
    """Return a list with the reason why it is too early for the final checks. The list is empty if
    the checks can begin."""
    health, head = await at.get("/api/health"), await at.chain.head()
    height = int(head["number"], 16)
    if health is None or health["state"] != "ok" or health["indexedHead"] != height:
        return [f"the chain is at block {height}, but health reports {health}"]
    return []


async def _differences(at: Harness) -> list[str]:
    fresh = at.folder / "fresh.db"
    for old in at.folder.glob("fresh.db*"):
        old.unlink()
    url = f"sqlite:///{fresh}"
    await build_fresh_index(url, at.chain, known_deployments(at.settings))
    wanted, found = rows_of(url), rows_of(at.settings.database_url)
    wrong = [f"the database differs from the chain: {why}" for why in [difference(found, wanted)] if why]
    with open_snapshot(url) as snapshot:
        boards = {match_name(one.game, one.match): one for one in snapshot.summaries(limit=10_000)}
        events = {name: snapshot.events(one.game, one.match) for name, one in boards.items()}
    wrong += at.computer_players.repeated_moves(events)
    wrong += at.computer_players.owed_moves(
        {name: one.board for name, one in boards.items()}
    ) + await at.computer_players.pending_transactions(at.chain)
    wrong += await _view_differences(at, {name: (one.board, one.seq) for name, one in boards.items()})
    ids = {name: [(one.seq, one.hash) for one in some] for name, some in events.items()}
    return wrong + at.clients.violations(await _served(at), ids)


async def _view_differences(at: Harness, boards: Mapping[str, tuple[Json, int]]) -> list[str]:
    wrong = []
    for match, raw in (await contract_boards(at.chain, at.driver.workload.contracts)).items():
        game = GAMES[match.split("/")[0]]
        board, seq = boards.get(match, (game.start, 0))
        if raw["seq"] != seq or (
            game.from_contract and game.from_board and game.from_contract(raw) != game.from_board(board)
        ):
            wrong.append(f"{match}: the board differs from the contract's")
    return wrong


async def _served(at: Harness) -> dict[str, Json]:
    """Return a map from the names of the watched matches to the server's boards. Matches that the
    server doesn't find are left out."""
    found = {match: await at.get(f"/api/matches/{match}") for match in sorted(at.clients.watched)}
    return {match: answer["board"] for match, answer in found.items() if answer is not None}
