"""The benchmarks. `make bench` runs all benchmarks except those that take minutes."""
