"""What the games' contracts cost and give."""
