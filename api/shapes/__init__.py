"""The shapes of the JSON responses. Each module has TypedDict classes, and functions that build
them."""
