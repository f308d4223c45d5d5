"""Versions: which releases of charts and images the stack of a cluster pins."""

KINDS = frozenset({"clusters"})
