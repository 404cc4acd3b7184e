"""The routes under /api, with their parameters, lists and answers."""
