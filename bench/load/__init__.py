"""What the figures are measured with: clients, players, long matches, full databases."""
