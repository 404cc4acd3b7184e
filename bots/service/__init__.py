"""The service that runs the computer players and the keeper. It can use any gateway."""
