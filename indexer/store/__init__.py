"""The database of one chain, with its blocks and events and the rows derived from them."""
