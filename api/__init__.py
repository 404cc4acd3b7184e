"""The gateway, which serves the store over HTTP and websockets."""
