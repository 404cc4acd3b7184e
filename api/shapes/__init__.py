"""Shapes of the JSON answers: a class for each, and the function that builds it."""
