"""Passes messages between the processes that share a database: from the writer to its gateways, and
back."""
