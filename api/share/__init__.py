"""Links to matches: pages with a preview, pictures of boards, and frames for other sites."""
