"""Data that the writer and all gateways of one database share, besides the chain's data."""
