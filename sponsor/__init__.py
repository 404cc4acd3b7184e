"""Ether for the first moves of visitors who have none, paid from an operator's account within
budgets."""
