"""Generates the cases for Karpenter's own scheduler; see tests/simulate/verdicts/README.md."""
