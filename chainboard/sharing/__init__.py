"""Passes messages between the writer of a shared database and the gateways that read it."""
