"""Links to matches: pages that describe a match in link previews, pictures of boards, and frames
for other sites."""
