"""Data that is not on the chain. The writer and all gateways that use a database share it."""
