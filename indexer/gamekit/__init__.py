"""The code that all games share: descriptions, reducers, contract views, names and Elo ratings."""
