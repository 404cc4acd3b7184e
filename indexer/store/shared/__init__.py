"""Data that doesn't come from the chain and that the writer and all gateways on one database
share."""
