"""The page's files: where they are, bundled and served."""
