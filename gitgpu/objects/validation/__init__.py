"""Objects against the contract of their kind."""
