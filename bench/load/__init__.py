"""Load for the benchmarks: clients, players, long matches and full databases."""
