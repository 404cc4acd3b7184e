"""Links to matches that are made to be passed on: pages that describe themselves, pictures of boards, frames."""
