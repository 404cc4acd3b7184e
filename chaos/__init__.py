"""The chaos kit. It plays seeded scenarios that inject faults and kill processes, and then checks
that all invariants hold."""
