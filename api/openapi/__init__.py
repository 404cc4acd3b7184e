"""The OpenAPI document: shapes, examples, texts."""
