"""Faults of networks and nodes, and the proxy that injects these faults into the connection."""
