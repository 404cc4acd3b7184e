"""Data that the writer and all gateways on a database share, and that isn't on the chain."""
