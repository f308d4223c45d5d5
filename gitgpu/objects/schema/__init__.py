"""Contracts of kinds: the schemas that objects must match, and the CRDs that they are read from."""
