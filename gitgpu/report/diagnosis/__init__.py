"""A diagnosis for people and for programs."""
