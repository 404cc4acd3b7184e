"""The routes under /api, with their parameters, cursors and responses."""
