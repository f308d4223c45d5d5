"""The pages of a cluster's runbook, one module each."""
