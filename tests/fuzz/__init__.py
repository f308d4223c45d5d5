"""Odd inputs for every command: real documents, mutated. `make fuzz` runs many of them, the suite a few."""
