"""Measures how much work the page's animations need."""
