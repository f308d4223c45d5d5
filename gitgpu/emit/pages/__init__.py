"""One module, one page of a cluster's runbook."""
