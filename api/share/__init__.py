"""Links to share: pages that describe a match in link previews, pictures of boards, and frames."""
