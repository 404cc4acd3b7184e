"""Measures how much processor time the page's animations need."""
