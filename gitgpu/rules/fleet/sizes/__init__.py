"""Azure VM sizes of a pool."""

KINDS = frozenset({"pools"})
