"""Gives gateways that share a database access to the faucet and the computer players. A gateway
passes its requests through the database to the writer's process.

Both processes can reach the database anyway, so the writer needs no port, password or address for
these requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from api.chain.faucet import FaucetService
from api.problems import Problem
from api.shapes.chain import FaucetShape
from bots.service.messages import AWAY, ComputerPlayer, OpponentService, RequestRejected, ServiceStatus
from chainboard.sharing.status import StatusReader
from indexer.model import Json
from indexer.store.db.engine import StoreError
from indexer.store.store import Store

log = logging.getLogger("chainboard")

FAUCET, OPPONENT = "faucet", "opponent"
REQUEST_POLL_SECONDS, RESPONSE_POLL_SECONDS = 0.2, 0.1
"""The seconds between two polls. The writer polls for requests, and a gateway for the response to a
request. A person is waiting for the response, so the gateway polls more often."""
FAUCET_SECONDS = 25.0
MAX_PENDING = 8
"""The maximum number of faucet requests from one gateway that can wait at the same time. A request
stays in the queue even if the visitor who made it has left."""


class RemoteFaucet:
    """A gateway's FaucetService. It passes requests through the database to the writer."""

    def __init__(self, store: Store, status: StatusReader) -> None:
        self._store, self._status, self._pending = store, status, 0

    async def top_up(self, address: str, client: str) -> FaucetShape:
        if not self._status.writer_runs:
            raise Problem(503, "faucet-away")
        if not self._status.latest.faucet:
            raise Problem(404, "no-faucet")
        if self._pending >= MAX_PENDING:
            raise Problem(429, "faucet-busy.at-once", {"n": MAX_PENDING}, {"retry-after": "1"})
        self._pending += 1
        try:
            async with asyncio.timeout(FAUCET_SECONDS):
                answer = await request_from_writer(self._store, FAUCET, {"address": address, "client": client})
        except TimeoutError:
            raise Problem(503, "faucet-away") from None
        finally:
            self._pending -= 1
        if "problem" in answer:
            problem = answer["problem"]
            raise Problem(problem["status"], problem["key"], problem["args"], problem["headers"])
        found: FaucetShape = answer["found"]
        return found


class RemoteOpponents:
    """A gateway's OpponentService. It passes requests through the database to the writer."""

    def __init__(self, store: Store, status: StatusReader) -> None:
        self._store, self._status = store, status

    def opponents(self) -> Sequence[ComputerPlayer]:
        return self._status.latest.opponents

    def status(self) -> ServiceStatus:
        if not self._status.writer_runs:
            return ServiceStatus(why=AWAY)
        return self._status.latest.service or ServiceStatus()

    async def wait_until_ready(self) -> bool:
        return bool(self.opponents())  # don't wait, because a gateway doesn't know when its writer started

    async def request(self, match: str, name: str) -> str:
        answer = await request_from_writer(self._store, OPPONENT, {"match": match, "name": name})
        if "refusal" in answer:
            key, arguments = answer["refusal"]
            raise RequestRejected(key, **arguments)
        return str(answer["account"])


async def request_from_writer(store: Store, kind: str, content: Json) -> Json:
    """Send a request to the writer, and wait for its response until cancelled."""
    request = await asyncio.to_thread(store.requests.add, kind, content)
    while (answer := await asyncio.to_thread(store.requests.pop_answer, request)) is None:
        await asyncio.sleep(RESPONSE_POLL_SECONDS)
    return answer


async def answer_requests(store: Store, faucet: FaucetService | None, opponents: OpponentService | None) -> None:
    """Carry out the requests that gateways send through a database server, until cancelled."""
    kinds = [kind for kind, service in ((FAUCET, faucet), (OPPONENT, opponents)) if service is not None]

    async def execute(request: str, kind: str, content: Json) -> None:
        try:
            answer = await (_top_up(faucet, content) if kind == FAUCET else _seat(opponents, content))
            await asyncio.to_thread(store.requests.answer, request, answer)
        except Exception as error:  # the gateway that sent the request times out; the others are unaffected
            log.error("can't carry out a gateway's request: %r", error)

    async with asyncio.TaskGroup() as group:
        while store.is_server and kinds:
            try:
                for one in await asyncio.to_thread(store.requests.claim, kinds):
                    group.create_task(execute(*one))
            except StoreError as error:
                log.debug("can't read requests at the moment: %s", error)
            await asyncio.sleep(REQUEST_POLL_SECONDS)


async def _top_up(faucet: FaucetService | None, content: Json) -> Json:
    assert faucet is not None
    try:
        return {"found": await faucet.top_up(content["address"], content["client"])}
    except Problem as problem:
        args = {"args": problem.arguments, "headers": problem.headers}
        return {"problem": {"status": problem.status, "key": problem.key, **args}}


async def _seat(opponents: OpponentService | None, content: Json) -> Json:
    assert opponents is not None
    try:
        return {"account": await opponents.request(content["match"], content["name"])}
    except RequestRejected as rejection:
        return {"refusal": rejection.reason}
