"""Faults of a network and of a node, and the proxy that injects them."""
