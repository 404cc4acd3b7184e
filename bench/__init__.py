"""The benchmarks. `make bench` runs them all, except those that take minutes."""
