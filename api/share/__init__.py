"""Links to matches for sharing: pages that describe themselves, pictures of boards, and frames."""
