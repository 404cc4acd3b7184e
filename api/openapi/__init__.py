"""The OpenAPI document: shapes, examples, prose."""
