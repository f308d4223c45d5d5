"""Generates the cases that Karpenter's own scheduler decides: see tests/simulate/verdicts/README.md."""
