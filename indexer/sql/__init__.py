"""Modules that run users' SQL queries (`chainboard sql`) and define the views for these queries."""
