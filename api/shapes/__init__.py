"""The shapes of the JSON responses. Each has a class and a function that builds it."""
