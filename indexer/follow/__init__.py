"""Modules that keep the store up to date with the chain and check the node's answers."""
