"""The chaos kit. It plays seeded scenarios with faults and kills, and then checks invariants."""
