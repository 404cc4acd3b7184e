"""Pays, from the operator's account, for the first moves of players who have no ether."""
