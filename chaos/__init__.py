"""The chaos kit: seeded stories of a lying node, a changing chain and a killed process, and what must hold then."""
