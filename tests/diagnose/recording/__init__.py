"""Makes states of clusters by running Karpenter's own controllers; see tests/diagnose/README.md."""
