"""The chaos kit, which plays seeded scenarios with faults and kills, and checks invariants."""
