"""The engine of Conquest, from its rule sheet alone: a match's state, its commands, and what chance decides."""
