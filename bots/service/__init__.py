"""The service of computer players and the keeper: accounts that play at any gateway."""
