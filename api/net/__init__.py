"""Checks before any route: uvicorn's protocols, connection limits, allowed hosts and origins."""
