"""A model of a rollup and its RPC providers, with a block every two seconds, fees, limits and
outages."""
