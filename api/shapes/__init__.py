"""Shapes of the JSON answers: one class per shape, which OpenAPI describes, and next to it the
function that builds it."""
