"""The database of one chain: blocks, events, and rows that are computed from them."""
