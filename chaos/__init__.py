"""The chaos kit plays seeded scenarios with faults and kills, and checks invariants."""
