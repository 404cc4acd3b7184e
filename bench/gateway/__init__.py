"""Measures the server's latency and throughput, including with many clients and with hostile
clients."""
