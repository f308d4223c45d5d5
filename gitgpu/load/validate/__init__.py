"""Schemas compiled to predicates."""
