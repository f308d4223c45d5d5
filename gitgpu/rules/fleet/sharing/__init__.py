"""Sharing: time-slicing and MPS."""

PREFIX = "SCH"  # of the codes of new rules
KINDS = frozenset({"pools"})
