"""Azure VM sizes of a pool."""

PREFIX = "SKU"  # of the codes of new rules
KINDS = frozenset({"pools"})
