"""What people write today: web3.py's `get_logs` for each event of a contract, and an ORM row for each log."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, Session, SQLModel, create_engine
from web3 import Web3

from bench.backfill.job import Job, do

CHUNKS = 100
"""The chain is asked for in so many parts."""


class PlainEventRow(SQLModel, table=True):
    __tablename__ = "usual_event"
    id: int | None = Field(default=None, primary_key=True)
    height: int = Field(index=True)
    log_index: int
    name: str
    match: int = Field(index=True)
    seq: int
    args: dict[str, Any] = Field(sa_column=Column(JSON))
    tx: str


def row(log: Any) -> PlainEventRow:
    args = dict(log["args"])
    return PlainEventRow(
        height=log["blockNumber"],
        log_index=log["logIndex"],
        name=log["event"],
        match=args.pop("matchId"),
        seq=args.pop("seq"),
        args=args,
        tx=log["transactionHash"].to_0x_hex(),
    )


async def work(job: Job) -> int:
    web3 = Web3(Web3.HTTPProvider(job.url))
    contract = web3.eth.contract(address=job.deployment.address, abi=job.deployment.abi)  # type: ignore[call-overload]
    engine = create_engine(f"sqlite:///{job.file}")
    SQLModel.metadata.create_all(engine, tables=[PlainEventRow.__table__])  # type: ignore[attr-defined]
    first, end = job.deployment.height + 1, job.deployment.height + job.blocks
    step, stored = max(1, job.blocks // CHUNKS), 0
    for start in range(first, end + 1, step):
        with Session(engine) as session:
            for event in contract.events:
                for log in event().get_logs(from_block=start, to_block=min(start + step - 1, end)):
                    session.add(row(log))
                    stored += 1
            session.commit()
    engine.dispose()
    return stored


if __name__ == "__main__":
    do(work)
