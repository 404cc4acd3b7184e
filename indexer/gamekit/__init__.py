"""What a game is made of: the plug-in contract, shared reducers, contract views, names, Elo. Pure."""
