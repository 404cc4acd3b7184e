"""How soon everything is there: a start, a restart, a page, a chain that has grown."""
