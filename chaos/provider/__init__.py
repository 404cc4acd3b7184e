"""A model of a rollup and its RPC providers, with block times, fees, limits and outages."""
