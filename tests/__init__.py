"""The project's tests. Each folder covers one part."""
