"""Delivery: what Flux and Argo CD are pointed at."""

KINDS = frozenset({"fleet"})
