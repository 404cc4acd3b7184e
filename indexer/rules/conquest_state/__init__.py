"""The rules of Conquest, written from the description of the game and not from the contract."""
