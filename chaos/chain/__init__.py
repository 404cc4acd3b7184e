"""The chain of a scenario: recorded, played on by random moves, reorganised."""
