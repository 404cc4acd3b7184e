"""Conquest's engine: state, commands and draws. Written from the rules, not from the contract."""
