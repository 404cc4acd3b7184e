"""Checks that run before all routes: timeouts, connection limits, allowed hosts and origins."""
