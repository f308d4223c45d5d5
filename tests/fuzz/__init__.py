"""Mutated real documents as input for every command. `make fuzz` runs many of them, the test suite a few."""
