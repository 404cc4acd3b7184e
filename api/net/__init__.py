"""Checks before all routes: uvicorn's protocols, connection limits, allowed hosts and origins."""
