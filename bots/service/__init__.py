"""The service of opponents and of the keeper: accounts that play against any gateway, over its HTTP and websocket."""
