"""The chaos kit.

It runs seeded scenarios with a dishonest node, a changing chain and a killed process, and then
checks the invariants.
"""
