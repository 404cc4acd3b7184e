"""Conquest's engine: state, commands and draws. It follows the written rules, not the contract."""
