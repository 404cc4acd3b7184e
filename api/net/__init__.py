"""The checks that run before all routes: uvicorn's protocols, connection limits, allowed hosts and
origins."""
