"""A match drawn by the page's own renderers, which Node runs."""
