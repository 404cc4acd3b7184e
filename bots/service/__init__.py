"""The service that runs the computer players and the keeper. It works with any gateway."""
