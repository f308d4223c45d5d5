"""Sharing: time-slicing and MPS."""

KINDS = frozenset({"pools"})
