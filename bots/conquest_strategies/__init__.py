"""What the computer players of Conquest see and how they decide."""
