"""The engine of Conquest: a match's state, its commands and its draws.

It was written from the rules alone, independently of the contract."""
