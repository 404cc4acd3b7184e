"""The chaos kit: seeded scenarios with a dishonest node, reorgs and kills; checks of invariants."""
