"""The players: draw moves of the games, and put them into blocks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from eth_utils.address import to_checksum_address

from chaos.chain.anvil_chain import Chain, Json, Refused
from chaos.chain.contract import Contract
from chaos.game import Play, Table

NEWEST = 5
"""Matches of a game that are played on; older ones rest."""
NEW_SHARE = 0.2

NOT_THERE = "0x"
"""What a call answers on a chain that began anew, while our process has not deployed the contract again."""


class Players:
    """Anvil's unlocked accounts, and the games that they play."""

    def __init__(self, chain: Chain, plays: Sequence[Play], accounts: Sequence[str]) -> None:
        self._chain, self._plays, self.accounts = (
            chain,
            {play.game: play for play in plays},
            [*map(to_checksum_address, accounts)],
        )
        self.contracts: list[Contract] = []

    async def block(self, random: Random, moves: int, opening: bool = False) -> None:
        """One block with so many moves, drawn against the chain as it is before it. `opening`: all open matches."""
        await self._chain.request("evm_setAutomine", False)
        try:
            for order in await self._orders(random, moves, opening):
                try:
                    await self._chain.request("eth_sendTransaction", order)
                except Refused:
                    continue  # the same as one that is there already, say
            await self._chain.mine()
        finally:
            await self._chain.request("evm_setAutomine", True)

    async def _orders(self, random: Random, moves: int, opening: bool) -> list[Json]:
        playing = [one for one in self.contracts if one.game in self._plays]
        ranges = await self._chain.requests([one.ask("matchRange") for one in playing]) if playing else []
        there = [(one, answer) for one, answer in zip(playing, ranges, strict=True) if answer != NOT_THERE]
        if not there:
            return []
        playing = [one for one, _ in there]
        spans = {one.game: one.read("matchRange", answer) for one, answer in there}
        orders = []
        for _ in range(moves):
            contract = random.choice(playing)
            table = None if opening else await self._table(random, contract, *spans[contract.game])
            move = self._plays[contract.game].move(random, self.accounts, table)
            orders.append(contract.order(self.accounts[move.player], move))
        return orders

    async def _table(self, random: Random, contract: Contract, first: int, end: int) -> Table | None:
        match = random.randrange(max(first, end - NEWEST), max(end, first + 1))
        if random.random() < NEW_SHARE or end <= first:
            return None
        [answer] = await self._chain.requests([contract.ask("board", match)])
        return Table(match, contract.read("board", answer, 1))
