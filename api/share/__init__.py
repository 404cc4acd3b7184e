"""Links to matches: pages that describe themselves, pictures of boards, and frames."""
