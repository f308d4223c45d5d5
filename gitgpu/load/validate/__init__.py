"""JSON Schemas compiled to predicates."""
