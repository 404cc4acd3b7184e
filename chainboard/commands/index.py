"""`chainboard index`: indexes the chain into the database without serving a page."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext

from chainboard.chain.connect import chain_of, open_chain, require_deployed
from chainboard.chain.deployment import known_deployments
from chainboard.commands.jobs import running
from chainboard.console import console
from chainboard.data_folder import folder_lock
from chainboard.indexing.database import Deployed, open_store
from chainboard.indexing.supervisor import Supervisor
from chainboard.settings import Settings
from chainboard.sharing.status import WriterStatus, announce_status
from indexer.store.store import Store
from indexer.wakeup import Wakeup


async def index(settings: Settings, once: bool) -> None:
    """Index the chain into the database. With `once`, stop at the head, otherwise continue until
    cancelled.

    While another process writes to the same database on a server, stand by."""
    with _writer_lock(settings):
        async with open_chain(settings) as (node, _anvil):

            async def deployed() -> Deployed:
                chain, deployments = await chain_of(node), known_deployments(settings)
                await require_deployed(node, chain, deployments)
                return chain, deployments

            async with open_store(settings, *await deployed(), standby=None if once else deployed) as store:
                with store.read() as snapshot:
                    deployments = snapshot.deployments()
                supervisor = Supervisor(settings, node, store, deployments)
                async with announcing(store, supervisor):
                    await supervisor.catch_up()
                    console.print(f"Indexed to block {supervisor.height}")
                    if once:
                        return
                    heads = Wakeup()
                    async with running([node.listen(heads.notify)]):
                        await supervisor.run(heads, lambda: None)


def announcing(store: Store, supervisor: Supervisor) -> AbstractAsyncContextManager[None]:
    """Return a context in which a process that serves no page announces the state of its index to
    gateways."""
    return running([announce_status(store, lambda: WriterStatus(supervisor.health))])


def _writer_lock(settings: Settings) -> AbstractContextManager[None]:
    """Return the data folder's lock. If the command writes neither the embedded chain nor a
    database in this folder, return a lock that does nothing."""
    shared = settings.rpc and settings.database_file is None
    return nullcontext() if shared else folder_lock(settings)
