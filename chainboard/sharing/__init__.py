"""Passes messages between a database's writer and the gateways that share the database."""
