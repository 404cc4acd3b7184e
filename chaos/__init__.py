"""The chaos kit, which plays seeded scenarios with a dishonest node, reorgs and kills, and checks
invariants."""
