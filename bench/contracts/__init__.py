"""Gas costs of the games' contracts, and results of captains and cheats."""
