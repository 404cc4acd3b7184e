"""The database of one chain. It contains blocks and events, and rows that are computed from
them."""
