"""The service of computer players and of the keeper: accounts that play at any gateway through its
HTTP API and websocket."""
