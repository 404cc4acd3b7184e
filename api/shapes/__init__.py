"""What JSON is sent outward: one class a shape, which OpenAPI describes, and beside it the function that makes it."""
