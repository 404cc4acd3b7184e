"""Follow the chain: one bounded step, the loop around it, and checks of the node's answers."""
