"""KAITO: models that a fleet serves or tunes."""

KINDS = frozenset({"models"})
