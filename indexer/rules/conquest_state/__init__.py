"""The rules of Conquest: the state of a match, the players' commands, and random results (draws).
They were written from the description of the game, not from the contract."""
