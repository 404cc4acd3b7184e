"""From logs to events, by the contracts' ABI."""
