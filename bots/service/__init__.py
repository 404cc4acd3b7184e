"""The service with the computer players and the keeper, whose accounts can play at any gateway."""
