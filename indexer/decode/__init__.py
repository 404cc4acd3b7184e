"""Decoding of logs to events by the contracts' ABI."""
