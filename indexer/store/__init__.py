"""The database of one chain: blocks and events, and what is derived from them."""
