"""The interface of a game plug-in, shared reducers, contract views, names and Elo ratings. These
modules have no side effects."""
