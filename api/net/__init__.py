"""Checks that run before all routes: protocols, connection limits, allowed hosts and origins."""
