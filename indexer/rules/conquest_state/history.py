"""Replays a match from its commands. They come from events or from the HTTP API."""

from __future__ import annotations

from indexer.model import Json
from indexer.rules.conquest_state import commands
from indexer.rules.conquest_state.commands import FORCED_PASS, PHASE_PASS
from indexer.rules.conquest_state.state import NONE, ConquestState


def apply(state: ConquestState, kind: int, data: bytes) -> None:
    """Carry out a command of the player to move. `kind` and `data` are arguments of the event
    `Commanded`. Raises CustomError if the rules forbid the command, and ValueError if there is no
    command with this kind and data."""
    match kind, list(data):
        case commands.CHOOSE, [land]:
            commands.choose_capital(state, land)
        case commands.REINFORCE, [land]:
            commands.reinforce(state, land)
        case commands.PORT, [land]:
            commands.build_port(state, land)
        case commands.PASS, [how]:
            if how == FORCED_PASS:
                commands.forced_pass(state)
            else:
                commands.pass_on(state, how == PHASE_PASS)
        case commands.SURRENDER, []:
            commands.surrender(state)
        case commands.ATTACK, [start, end] if state.owners[end : end + 1] == [NONE]:
            commands.capture(state, start, end)
        case commands.ATTACK, _:
            commands.attack(state, data)
        case commands.MOVING, [start, end, quarters, hero]:
            commands.move(state, start, end, quarters, bool(hero))
        case commands.USE, []:
            commands.use_item(state)
        case _:
            raise ValueError(f"there is no command of kind {kind} with {len(data)} bytes")


def data_of(command: Json) -> bytes:
    """Return the `data` argument of a command. `command`: the command as JSON, which `GET
    /api/matches/conquest/{id}/commands` returns."""
    kind = command["type"]
    if kind in (commands.CHOOSE, commands.REINFORCE, commands.PORT):
        return bytes([command["landId"]])
    if kind == commands.PASS:
        return bytes([FORCED_PASS if command.get("forced") else int(command.get("phaseOnly", False))])
    pairs = [(one["landOne"], one["landTwo"]) for one in command.get("interactions", ())]
    data = bytes(land for pair in pairs for land in pair)
    if kind == commands.MOVING:
        return data + bytes([round(command["ratio"] * commands.QUARTERS), command.get("hero", False)])
    return data
