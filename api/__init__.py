"""The gateway. It serves the store over HTTP and websockets."""
