"""Following the chain: one bounded step, the loop around it, and its doubts about the node."""
