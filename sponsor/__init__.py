"""Pays for the first moves of visitors who have no ether, from an operator's account."""
