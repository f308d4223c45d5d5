"""Contracts of kinds: the schema that an object must fit, and what an object violates."""
