"""A model of a rollup and of those who sell access to it: blocks each two seconds, fees, limits, latency, outages."""
