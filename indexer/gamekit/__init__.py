"""What the games have in common: the description of a game, shared reducers, contract views, names,
and Elo ratings."""
