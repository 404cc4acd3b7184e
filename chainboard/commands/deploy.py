"""`chainboard deploy`: deploys the contracts."""

from __future__ import annotations

from chainboard.chain.connect import chain_of, open_chain, warn_about_clock
from chainboard.chain.deployment import deploy_contracts
from chainboard.commands.jobs import running
from chainboard.console import console
from chainboard.data_folder import folder_lock
from chainboard.settings import Settings


async def deploy(settings: Settings, yes: bool) -> None:
    """Deploy the contracts that are missing or have changed, and write the manifest."""
    with folder_lock(settings):
        async with open_chain(settings) as (node, _anvil):
            await chain_of(node)
            async with running([warn_about_clock(node)]):
                deployed = await deploy_contracts(settings, node, yes)
            for one in deployed:
                end = "on" if one.end_match is None else f"to {one.end_match - 1}"
                console.print(
                    f"{one.game}: {one.contract} at {one.address}, matches from {one.first_match} {end}", soft_wrap=True
                )
