"""Compares a replay file with the chain that its match was played on."""
