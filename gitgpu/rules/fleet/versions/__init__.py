"""Versions: which releases of charts and images the stack of a cluster pins."""

PREFIX = "VER"  # of the codes of new rules
KINDS = frozenset({"clusters"})
