"""Builds the OpenAPI document with its shapes, examples and texts."""
