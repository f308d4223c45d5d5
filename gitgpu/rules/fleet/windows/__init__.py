"""Windows pools."""

KINDS = frozenset({"pools"})
