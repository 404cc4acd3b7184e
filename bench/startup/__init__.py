"""The times of a start, a restart, loading the page, and moves on a chain that has grown."""
