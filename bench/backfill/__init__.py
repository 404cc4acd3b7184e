"""How fast a chain is followed from its beginning."""
