"""Pays for the first moves of players who have no ether, from the operator's account."""
