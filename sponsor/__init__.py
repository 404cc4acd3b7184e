"""Pays for the first moves of players who have no ether. The operator's account provides the
ether."""
