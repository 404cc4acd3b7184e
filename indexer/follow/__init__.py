"""Modules that bring the store up to date with the chain, step by step, and check the node's
answers."""
