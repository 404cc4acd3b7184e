"""Rules of games, for opponents and tests: the fold knows none of them."""
