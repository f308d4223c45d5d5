"""Makes the cases whose verdicts Karpenter's own scheduler records: see tests/simulate/verdicts/README.md."""
