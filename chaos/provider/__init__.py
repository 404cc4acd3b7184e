"""A model of a rollup and its RPC providers: blocks every two seconds, fees, limits, outages."""
