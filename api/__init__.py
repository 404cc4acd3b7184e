"""The gateway: a server that gives clients the indexed matches over HTTP and websockets."""
