"""Windows pools."""

PREFIX = "WIN"  # of the codes of new rules
KINDS = frozenset({"pools"})
