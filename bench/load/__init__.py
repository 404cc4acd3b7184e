"""Makes the load for benchmarks: clients, players, long matches and full databases."""
