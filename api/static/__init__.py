"""The page's files: where they are, how they are built and served."""
