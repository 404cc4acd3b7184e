"""Ether for the first moves of visitors who have none, from an operator's account."""
