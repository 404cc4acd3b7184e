"""The page: its modules under Node, and in a browser."""
