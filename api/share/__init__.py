"""Shared links to matches: pages with descriptions for previews, pictures of boards, and frames."""
