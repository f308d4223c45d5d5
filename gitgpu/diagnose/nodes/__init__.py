"""What is wrong with nodes and NodeClaims."""
