"""The game plug-in interface, shared reducers, contract views, names and Elo ratings."""
