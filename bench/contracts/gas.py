"""Gas of each call of each game, beside the figure of its rules sheet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from contracts.artifacts import load
from tests.contracts.support import gas_limits
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.battleship_match import NOBODY, STAKE, Battle
from tests.contracts.support.contract import Contract, Refused, deploy_game
from tests.contracts.support.session_keys import offer_and_accept, person
from tests.contracts.support.tic_tac_toe_match import DRAWN, HOST_WINS, Grid
from tests.contracts.support.tokens import endow, plain
from tests.contracts.support.touche_coule_match import ToucheCouleTable

SIDES = (10, 50, 64)
FLEETS = (2, 4, 8, 32, 100, 256)
TURNS = 20
TOLD_AFTER = 10
SHEET = (50, 32)
"""The side and the ships for which the sheet says what a turn may cost; elsewhere it is what the storage costs."""
SAMPLE = 8
"""Players whose changes of position and talks are measured; the dearest counts."""

MOVE_GAS = 45_000
"""The limit of a move in Tic-tac-toe."""
SHOT_GAS, MEAN_SHOT_GAS, REVEAL_GAS = 62_000, 48_000, 95_000
"""The limits of a move in Battleship, of the mean of a game's moves, and of a reveal."""

Row = tuple[str, int, int]
"""What, measured, the limit of the sheet or of `tests/contracts/support/gas_limits.py`."""


def main() -> None:
    touche_coule()
    print()
    tic_tac_toe()
    print()
    battleship()


def touche_coule() -> None:
    """Over boards and ships."""
    print(f"{'board':>7} {'ships':>5}  {'call':44} {'measured':>11} {'limit':>11} {'ratio':>6}")
    for side in SIDES:
        anvil = AnvilNode(140)
        try:
            _, game = deploy_game(anvil, load("ToucheCoule"))
            for ships in FLEETS:
                if ships <= side * side:
                    _print(side, ships, game)
        finally:
            anvil.close()


def _print(side: int, ships: int, game: Contract) -> None:
    for what, measured, limit in _rows(side, ships, game):
        print(
            f"{side:>3} x {side:<3}{ships:>4}  {what:44} {measured:>11,} {limit:>11,} {measured / limit:>6.2f}",
            flush=True,
        )


def _rows(side: int, ships: int, game: Contract) -> Iterator[Row]:
    table = ToucheCouleTable(game, side, side)
    players = max(2, ships // 2)
    each = 1 if ships == 2 else 2
    yield "register, the dearest", max(table.register(p).gas for p in range(players) for _ in range(each)), 185_000
    if each == 2:
        data = game.data("register(uint48)", table.match)
        yield (
            "a third one, refused",
            int(table.anvil.send(table.accounts[0], game.address, data)["gasUsed"], 16),
            30_000,
        )
    table.start()
    told: list[tuple[int, int]] = []
    book = gas_limits.Logbook()
    spent = allowed = sheet = turns = 0
    for turn in range(TURNS):
        view = table.view
        owners = [boat.owner for boat in view.ships if boat.afloat]
        if view.status != 2:
            break
        receipt = table.turn(table.accounts.index(owners[0]))
        spent += receipt.gas
        allowed += gas_limits.turn(receipt, len(owners), ships, book.fresh(receipt))
        sheet += 45_000 + 26_000 * len(owners)
        turns += 1
        if turn + 1 == TOLD_AFTER:
            told = [pair for player in range(players) if (pair := _told(table, player, each))][:SAMPLE]
    if (side, ships) == SHEET:
        yield f"turn, mean of {turns}, by the sheet", spent // turns, sheet // turns
    yield f"turn, mean of {turns}", spent // turns, allowed // turns
    moved = [gas for player in range(min(players, SAMPLE)) if (gas := _moved(table, player))]
    if moved:
        yield "changePosition, the dearest", max(moved), 140_000
    if told:
        gas, limit = max(told)
        yield f"communicate after {TOLD_AFTER} turns, the dearest", gas, limit
        if side <= 50:
            yield "the same, by the sheet", gas, 330_000


def _told(table: ToucheCouleTable, player: int, each: int) -> tuple[int, int] | None:
    """Gas and its limit; None when it is refused."""
    if each == 1:
        return None
    limit = gas_limits.communicate(table, each * player + 1, each * player + 2)
    gas = _gas(table, player, "communicate")
    return (gas, limit) if gas else None


def _moved(table: ToucheCouleTable, player: int) -> int:
    table.anvil.mine()
    return _gas(table, player, "changePosition")


def _gas(table: ToucheCouleTable, player: int, call: str) -> int:
    """0 when it is refused: a ship is sunk, the match is over."""
    with suppress(Refused):
        return table.send(player, call).gas
    return 0


def tic_tac_toe() -> None:
    """A move alone has a limit; by a session key the registry is asked too."""
    print(f"{'tic-tac-toe':57} {'measured':>11} {'limit':>11} {'ratio':>6}")
    anvil = AnvilNode(3)
    try:
        sessions, game = deploy_game(anvil, load("TicTacToe"))
        for what, measured in _marks(sessions, game):
            limit = f"{MOVE_GAS:>11,} {measured / MOVE_GAS:>6.2f}" if what.startswith("move") else ""
            print(f"    {what:53} {measured:>11,} {limit}".rstrip(), flush=True)
    finally:
        anvil.close()


def _marks(sessions: Contract, game: Contract) -> Iterator[tuple[str, int]]:
    host, challenger, clock = *game.anvil.accounts[:2], 60
    yield "create", game.send(host, "create", challenger, clock).gas
    grid = Grid(game, host, challenger, number=1)
    yield "accept", grid.send(challenger, "accept").gas
    for cells, end in ((HOST_WINS, "move, wins"), (DRAWN, "move, the last one of a draw")):
        first, *moves, last = [receipt.gas for receipt in grid.play(*cells)]
        if cells == HOST_WINS:
            yield "move, the first one", first
            yield f"move, mean of the {len(moves)} between", sum(moves) // len(moves)
        yield end, last
        yield "rematch", grid.send(host, "rematch").gas
        number = grid.view.rematch
        yield "accept the rematch", game.send(challenger, "accept", number).gas
        grid = Grid(game, host, challenger, number=number)
    yield "offerRestart", grid.send(host, "offerRestart").gas
    yield "acceptRestart", grid.send(challenger, "acceptRestart", 0).gas
    owner, key = person(game.anvil), person(game.anvil)
    offer_and_accept(sessions, owner, key, [game.address], 4_000_000_000)
    linked = Grid(game, owner.address, challenger)
    yield "by a session key: move", linked.send(key.address, "move", 0, 0, 0).gas


def battleship() -> None:
    """A whole game of many shots, staked in ether, then what is dearer: the longest message, tokens, a surrender."""
    print(f"{'battleship':57} {'measured':>11} {'limit':>11} {'ratio':>6}")
    anvil = AnvilNode(3)
    try:
        _, game = deploy_game(anvil, load("Battleship"))
        for what, measured, allowed in _shots(game):
            limit = f"{allowed:>11,} {measured / allowed:>6.2f}" if allowed else ""
            print(f"    {what:53} {measured:>11,} {limit}".rstrip(), flush=True)
    finally:
        anvil.close()


def _shots(game: Contract) -> Iterator[Row]:
    """A limit of 0: none."""
    token = plain(game.anvil)
    endow(token, game, STAKE, *game.anvil.accounts[:2])
    battle = Battle(game, stake=STAKE)
    yield "invite, staked in ether", battle.opened.gas, 0
    in_tokens = Battle(game, stake=STAKE, token=token.address)
    yield "invite, staked in tokens", in_tokens.opened.gas, 0
    yield "accept, staked in tokens", in_tokens.accept().gas, 0
    yield "surrender", in_tokens.surrender(0).gas, REVEAL_GAS
    yield "claimTimeout", in_tokens.timeout().gas, 0
    yield "withdraw, in tokens", in_tokens.send(0, "withdraw").gas, 0
    yield "accept, staked in ether", battle.accept(98).gas, 0
    moves = []
    for tile in range(98):
        for shot in (tile, tile):
            if battle.view.mover != NOBODY:
                moves.append(battle.move(shot).gas)
    yield "move, the dearest", max(moves), SHOT_GAS
    yield f"move, mean of {len(moves)}", sum(moves) // len(moves), MEAN_SHOT_GAS
    yield "reveal", battle.reveal(0).gas, REVEAL_GAS
    yield "reveal that settles, with a message of 280 bytes", battle.reveal(1, message="x" * 280).gas, REVEAL_GAS
    view = battle.view
    yield "withdraw, in ether", battle.send(view.players.index(view.winner), "withdraw").gas, 0


if __name__ == "__main__":
    main()
