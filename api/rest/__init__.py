"""The routes under /api: parameters, lists, answers."""
