"""Faults of networks and nodes, and the proxy that injects these faults between the tested process
and its node."""
