"""Modules that follow the chain in bounded steps and check the node's answers."""
