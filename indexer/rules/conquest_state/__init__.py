"""Conquest's engine: state, commands and draws, written from the rules, not ported from the
contract."""
