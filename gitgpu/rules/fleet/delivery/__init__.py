"""Delivery: what Flux and Argo CD are pointed at."""

PREFIX = "DLV"  # of the codes of new rules
KINDS = frozenset({"fleet"})
