"""Before any route: uvicorn's protocols, how many connections, which hosts and origins."""
