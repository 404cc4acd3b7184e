"""The page's files: where they are, built and served."""
