"""A model of a rollup and its RPC providers. It simulates block times, fees, limits and outages."""
