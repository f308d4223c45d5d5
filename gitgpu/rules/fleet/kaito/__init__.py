"""KAITO: models that a fleet serves or tunes."""

PREFIX = "KTO"  # of the codes of new rules
KINDS = frozenset({"models"})
