"""The service that runs the computer players and the keeper. Its accounts can play at any
gateway."""
