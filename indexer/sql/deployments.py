"""Reads the indexed contracts, from which the views are made. The query works with every version of
the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from indexer.model import Deployment

COLUMNS = "contract, address, height, block_hash, code_hash, first_match, end_match"
DEPLOYMENTS_QUERY = f"SELECT game, abi, {COLUMNS} FROM {{}}.deployment ORDER BY game, first_match"


def deployments(rows: Iterable[Sequence[Any]]) -> list[Deployment]:
    names = COLUMNS.split(", ")
    return [
        Deployment(game=game, abi=json.loads(abi), **dict(zip(names, rest, strict=True))) for game, abi, *rest in rows
    ]
