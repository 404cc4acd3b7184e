"""The gateway: HTTP and websocket over the store."""
