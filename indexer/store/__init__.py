"""The database of one chain: its blocks and events, and the rows derived from them."""
