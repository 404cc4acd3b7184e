"""The known defects of each game, in one module per game. Mutation tests plant them in the
contracts."""
