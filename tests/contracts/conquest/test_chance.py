"""Tests that nobody can predict or repeat a random draw in Conquest.

- Given a draw that a transaction in block L has opened
  - When somebody settles the draw in block L + 1, or in the same transaction
    - The contract should reject the call with TooSoon
  - When anybody settles the draw, plays the next command or claims a timeout from block L + 2 on
    - The hash of block L + 1 should decide, so the result should not depend on the call
  - When a player's contract reverts each result that it doesn't want
    - The player should have average luck and an average number of items
  - When block L + 1 is beyond the reach of BLOCKHASH
    - The hash should come from the history contract of EIP-2935, whatever the gas limit of the call
      is
  - When block L + 1 is older than 8,191 blocks
    - The luck should be 80, and no item should appear
  - When a reorg replaces block L + 1
    - If a command was signed for the old block, the contract should reject it with OtherPosition
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from contracts.artifacts import Artifact
from indexer.model import Event
from indexer.rules.call import Emitted
from indexer.rules.conquest_state.chance import NO_HASH, Chance, trail_after_draw
from indexer.rules.conquest_state.state import BATTLE
from tests.contracts.support import eip2935
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.conquest.storage import table_at, write_state
from tests.contracts.support.contract import Contract, Reverted, deploy, deploy_game
from tests.contracts.support.matches.conquest import CLOCK, ConquestTable
from tests.contracts.support.node import Node
from tests.support.compiled import SOURCES, compiled
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import position

CONTRACT = "Conquest"
ROW = row_of_lands(8)
SOLDIERS = [1_500, 1_000, 0, 0, 0, 0, 0, 10]
"""The number of soldiers on each land. The attacking land has 500 more soldiers than the defending
land, so the damage is 400 to 600."""
LAUNCHES = 500
TURNS = 300
MATCHES = 20
"""The number of matches that the gambler plays at the same time."""
TRIED = 3
"""The number of blocks in which the gambler tries to settle each draw."""
GAS_STEP = 100


@pytest.fixture
def table(game: Contract) -> ConquestTable:
    """A match in which seat 0 has attacked land 1. The block that decides the battle doesn't exist
    yet."""
    return launched(game)


def launched(game: Contract) -> ConquestTable:
    table = table_at(game, ROW, [[0, 5], [7, 1]], soldiers=SOLDIERS)
    table.send_command("attack", pairs="0x0001")
    return table


@contextmanager
def undone(table: ConquestTable) -> Iterator[None]:
    """At the end of the `with` block, revert the changes to the chain and to the table."""
    before = table.node.rpc("evm_snapshot")
    kept = table.engine.copy(), table.board, dict(table.hashes), table.due_time
    yield
    table.node.rpc("evm_revert", before)
    table.node.rpc("anvil_dropAllTransactions")
    table.engine, table.board, table.hashes, table.due_time = kept


def battle(found: list[Emitted]) -> list[Emitted]:
    """Return the events of the random draw, up to and including the first Phase event."""
    last = next(at for at, (name, _) in enumerate(found) if name == "Phase")
    return found[: last + 1]


# ---- when anybody can settle a draw


def test_nothing_is_decided_before_its_block_is_known(table: ConquestTable) -> None:
    soon = table.state.anchor + 1
    assert table.expect_revert(table.stranger, "settle") == Reverted("TooSoon", soon, soon + 1)
    named = {"ply": table.state.ply, "trail": table.state.trail}
    assert table.expect_revert(table.mover, "surrender", **named) == Reverted("TooSoon", soon, soon + 1)
    table.late()
    assert table.expect_revert(table.stranger, "claimTimeout") == Reverted("TooSoon", soon, soon + 1)


@pytest.mark.anvil  # only Anvil has a history of real block hashes
@pytest.mark.parametrize("blocks", [0, 1, 254, 255, 400])
def test_whoever_carries_it_out_whenever_it_comes_out_the_same(table: ConquestTable, blocks: int) -> None:
    """Tests that the result doesn't depend on the call that settles the draw, nor on its block. For
    a block older than 256 blocks, the contract gets the hash from Anvil's own history contract."""
    ways: list[Callable[[], list[Emitted]]] = [
        lambda: table.call(table.stranger, "settle"),
        lambda: table.call(table.accounts[1], "settle"),
        lambda: table.send_command("pass", phaseOnly=False),
        lambda: table.call(table.stranger, "claimTimeout"),
    ]
    table.wait()
    drawn = battle(table_settled(table))
    table.node.mine(blocks) if blocks else None
    for number, way in enumerate(ways):
        with undone(table):
            if number == len(ways) - 1:
                table.late()
            assert battle(way()) == drawn


def table_settled(table: ConquestTable) -> list[Emitted]:
    """Settle the draw immediately and return its events. Then revert the settlement."""
    with undone(table):
        return table.settle()


def test_the_next_command_names_the_trail_after_the_draw(table: ConquestTable) -> None:
    table.wait()
    before = table.state.trail
    after = table.named()["trail"]
    assert table.expect_revert(table.mover, "surrender", ply=table.state.ply, trail=before) == Reverted(
        "OtherPosition", after, before
    )
    table.send_command("surrender")


# ---- players who revert bad results


@pytest.fixture(scope="module")
def gambler(node: Node) -> Contract:
    return deploy(node, compiled(SOURCES / "Gambler.sol"))


def gambling(game: Contract, gambler: Contract) -> ConquestTable:
    """Return a match in which the gambler, which is a contract, has seat 1. It is the gambler's
    turn."""
    table = ConquestTable(game, 2, ROW, join=False)
    table.accounts[1] = gambler.address
    table.call(gambler.node.accounts[1], "join", account=gambler.address, through=gambler)
    write_state(table, position(ROW, [[7, 1], [0, 5]], mover=1, soldiers=SOLDIERS))
    return table


def test_launch_and_settlement_in_one_transaction_are_refused(game: Contract, gambler: Contract) -> None:
    table = gambling(game, gambler)
    data = bytes.fromhex(game.data("attack", table.match, *table.named().values(), bytes([0, 1]))[2:])
    with pytest.raises(Reverted) as caught:
        gambler.send(table.accounts[0], "launchAndSettle", game.address, data, table.match)
    assert caught.value.name == "unknown"
    soon = game.node.height
    assert game.decode_error(caught.value.values[0]) == Reverted("TooSoon", soon, soon + 2)


@pytest.mark.anvil  # only Anvil gives new block hashes after a revert
def test_who_takes_back_bad_luck_has_no_better_luck(game: Contract, gambler: Contract) -> None:
    """The gambler launches 500 attacks. It tries to settle each attack in three different blocks,
    and reverts unless the luck is above 100. After the third try, a stranger settles the remaining
    attacks."""
    wanted = SOLDIERS[1] - (SOLDIERS[0] - SOLDIERS[1]) * 101 // 100
    found = gambled(game, gambler, LAUNCHES, wanted, 0, "attack", bytes([0, 1]))
    lucks = [event.args["luck"] for event in found if event.name == "BattleResolved"]
    assert len(lucks) == LAUNCHES
    assert abs(sum(lucks) / LAUNCHES - 100) < 2.5
    assert min(lucks) < 84 < 116 < max(lucks)


@pytest.mark.anvil  # only Anvil gives new block hashes after a revert
def test_who_takes_back_turns_without_an_item_gets_no_more_items(game: Contract, gambler: Contract) -> None:
    names = Counter(event.name for event in gambled(game, gambler, TURNS, 2**32 - 1, 1, "pass", False))
    assert names["Drawn"] == TURNS
    assert 0.05 < names["ItemAppeared"] / TURNS < 0.20


def gambled(
    game: Contract, gambler: Contract, draws: int, most: int, items: int, action: str, argument: object
) -> list[Event]:
    """Make as many random draws as `draws` says, and return their events.

    The gambler plays several matches at the same time. In each round, the same command opens a draw
    in each match, and a new block decides these draws."""
    tables, node, found = [gambling(game, gambler) for _ in range(MATCHES)], game.node, list[Event]()
    calls = [game.data(action, table.match, *table.named().values(), argument) for table in tables]
    stranger, matches = tables[0].stranger, (game.address, tables[0].match, MATCHES)
    gambler.send(stranger, "actAll", game.address, [bytes.fromhex(call[2:]) for call in calls])
    for number in range(draws // MATCHES):
        before = node.rpc("evm_snapshot")
        node.rpc("evm_setNextBlockTimestamp", tables[0].now + 1 + number)
        node.mine()
        gamble = gambler.data("gamble", *matches, 1, most, items)
        for data in (*[gamble] * TRIED, gambler.data("settleAll", *matches)):
            found += game.receipt(node.send(stranger, gambler.address, data)).events
        node.rpc("evm_revert", before)
    return found


# ---- draws that old blocks decide


@pytest.mark.anvil  # only Anvil has real gas costs
def test_little_gas_never_makes_a_block_forgotten(table: ConquestTable) -> None:
    """Tests rising gas limits, the first of which are too low for the call. BLOCKHASH no longer
    returns the hash of the deciding block. If a low limit hid the hash, the luck would fall to 80,
    and a defender could profit."""
    decides = table.state.anchor + 1
    table.node.mine(300)
    seed = table.hash_of(decides)
    call = {"from": table.stranger, "to": table.game.address, "data": table.game.data("settle", table.match)}
    enough = int(table.node.rpc("eth_estimateGas", call, "pending"), 16)
    steps = range(25_000, enough + 2 * GAS_STEP, GAS_STEP)
    answers = table.node.raw_batch([("eth_call", {**call, "gas": hex(gas)}, "pending") for gas in steps])
    carried_out = [gas for gas, answer in zip(steps, answers, strict=True) if "result" in answer]
    assert carried_out
    for gas in (carried_out[0], carried_out[-1]):
        with undone(table):
            receipt = table.game.send(table.stranger, "settle", table.match, gas=gas)
            assert receipt.named("Drawn")[0]["seed"] == "0x" + seed.hex()


@pytest.fixture
def long(artifact: Artifact) -> Iterator[ConquestTable]:
    """A match with an open battle. The chain can mine thousands of blocks in a moment, but lacks
    the history contract until a test deploys it."""
    anvil = AnvilNode(140, "--hardfork", "cancun", "--prune-history")
    try:
        yield launched(deploy_game(anvil, artifact)[1])
    finally:
        anvil.close()


def test_a_block_is_remembered_for_8191_blocks(long: ConquestTable) -> None:
    eip2935.install(long.node)
    decides = long.state.anchor + 1
    long.wait()
    eip2935.record(long.node, decides)
    drawn = battle(table_settled(long))
    long.node.mine(eip2935.WINDOW - 1)
    with undone(long):
        assert battle(long.settle()) == drawn
    long.node.mine()
    (fought,) = [args for name, args in long.settle() if name == "BattleResolved"]
    assert (fought["luck"], long.engine.state is not None) == (80, True)


def test_waiting_for_its_block_to_be_forgotten_pays_no_attacker(long: ConquestTable) -> None:
    """Tests that an attacker gains nothing by waiting. Without the history contract, the hash is
    lost after 256 blocks, and the attacker then has the worst possible luck."""
    decides = long.state.anchor + 1
    long.keeps_hash = lambda height: height != decides
    long.node.mine(258)
    drawn, fought = long.settle()[:2]
    assert (drawn[1]["seed"], drawn[1]["entropyBlock"]) == ("0x" + NO_HASH.hex(), decides)
    assert fought[1]["luck"] == 80


def test_when_the_block_is_forgotten_seat_0_is_first(long: ConquestTable) -> None:
    fresh = ConquestTable(long.game, 3, row_of_lands(12))
    decides = fresh.state.anchor + 1
    fresh.keeps_hash = lambda height: height != decides
    fresh.node.mine(258)
    fresh.settle()
    assert (fresh.view["first"], fresh.view["mover"]) == (0, 2)


# ---- a reorg


@pytest.mark.anvil  # only Anvil supports reorgs
def test_a_command_for_the_luck_of_a_lost_block_is_refused(table: ConquestTable) -> None:
    before = table.node.rpc("evm_snapshot")
    table.wait()
    signed = table.named()
    old = table.hash_of(table.state.anchor + 1)
    table.node.rpc("evm_revert", before)
    table.hashes.clear()
    table.node.rpc("evm_setNextBlockTimestamp", table.now + 7)
    table.wait()
    new = table.hash_of(table.state.anchor + 1)
    assert new != old
    lucks = [Chance(seed, table.match, table.state.ply).luck(0) for seed in (old, new)]
    assert table.state.draw == BATTLE
    current = trail_after_draw(table.state.trail, new)
    rejection = table.expect_revert(table.mover, "pass", **signed, phaseOnly=False)
    assert rejection == Reverted("OtherPosition", current, signed["trail"]), lucks
    with suppress(Reverted):
        table.call(table.mover, "surrender", **signed)
    table.send_command("pass", phaseOnly=False)


def test_a_settlement_restarts_no_clock(table: ConquestTable) -> None:
    deadline = table.engine.deadline
    assert deadline == table.now + CLOCK
    table.settle()
    assert table.view["deadline"] == deadline
