"""Checks that run before all routes: timeouts, connection limits, and the allowed hosts and
origins."""
