"""Contracts of kinds: the schema that an object must match, and how an object violates it."""
