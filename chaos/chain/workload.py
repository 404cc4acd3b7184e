"""The workload: sends random moves in the games' matches, and mines them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from eth_utils.address import to_checksum_address

from bots.registry import OPPONENTS
from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.contract import DeployedContract
from chaos.game import MatchView, Move, Play
from indexer.model import Json
from indexer.node.client import NodeError

NEWEST = 5
"""The number of newest matches per game in which the workload makes moves. Older matches get no
more moves."""
NEW_SHARE = 0.2
INVITED_SHARE = 0.7
"""The share of new matches whose opening move invites a computer player. It applies only to games
in which computer players have no secrets."""

NO_CONTRACT = "0x"
"""The result of a view on a new chain before the tested process has deployed the contract."""


class Workload:
    """Makes moves for accounts that Anvil has unlocked, in the matches that these accounts play."""

    def __init__(self, chain: AnvilChain, plays: Sequence[Play], accounts: Sequence[str]) -> None:
        self._chain, self._plays = chain, {play.game: play for play in plays}
        self.accounts = [*map(to_checksum_address, accounts)]
        self.contracts: list[DeployedContract] = []
        self.computer_players: Mapping[str, Sequence[str]] = {}
        """A map from games to the computer players' accounts. The workload's accounts play against
        them, but the computer players make their own moves."""

    async def mine_moves(self, random: Random, moves: int, opening: bool = False) -> None:
        """Mine one block with up to `moves` random moves. The moves are chosen for the boards
        before this block.

        If `opening` is True, every move opens a match."""
        await self._chain.request("evm_setAutomine", False)
        try:
            for transaction in await self._transactions(random, moves, opening):
                try:
                    await self._chain.request("eth_sendTransaction", transaction)
                except NodeError:
                    continue  # the same transaction can already be in the pool
            await self._chain.mine()
        finally:
            await self._chain.request("evm_setAutomine", True)

    async def _transactions(self, random: Random, moves: int, opening: bool) -> list[Json]:
        playing = [one for one in self.contracts if one.game in self._plays]
        ranges = await self._chain.node.requests([one.view_call("matchRange") for one in playing]) if playing else []
        deployed = [(one, answer) for one, answer in zip(playing, ranges, strict=True) if answer != NO_CONTRACT]
        if not deployed:
            return []
        playing = [one for one, _ in deployed]
        spans = {one.game: one.decode_view("matchRange", answer) for one, answer in deployed}
        transactions = []
        for _ in range(moves):
            contract = random.choice(playing)
            table = None if opening else await self._match_view(random, contract, *spans[contract.game])
            move = self._move(random, contract, table)
            if move.player < len(self.accounts):
                transactions.append(contract.transaction(self.accounts[move.player], move))
        return transactions

    def _move(self, random: Random, contract: DeployedContract, table: MatchView | None) -> Move:
        computer_players = self.computer_players.get(contract.game, ())
        if (
            table is None
            and computer_players
            and OPPONENTS[contract.game].secrets is None
            and random.random() < INVITED_SHARE
        ):
            invitation = OPPONENTS[contract.game].invite(random.choice(computer_players))
            return Move(
                random.randrange(len(self.accounts)),
                invitation.action,
                contract.positional(invitation.action, invitation.arguments),
            )
        return self._plays[contract.game].move(random, [*self.accounts, *computer_players], table)

    async def _match_view(self, random: Random, contract: DeployedContract, first: int, end: int) -> MatchView | None:
        match = random.randrange(max(first, end - NEWEST), max(end, first + 1))
        if random.random() < NEW_SHARE or end <= first:
            return None
        requests = [contract.view_call("board", match), ("eth_getBlockByNumber", ["latest", False])]
        answer, block = await self._chain.node.requests(requests)
        newest = int(block["number"], 16), block["hash"]
        return MatchView(match, contract.decode_view("board", answer, 1), newest)
