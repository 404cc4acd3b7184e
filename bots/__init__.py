"""The computer players of each game, and a module that plays matches between them without a
chain."""
