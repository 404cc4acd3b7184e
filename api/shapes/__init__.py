"""The shapes of the JSON responses, as TypedDict classes, and functions that build them."""
